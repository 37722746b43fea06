import type ts from 'typescript';
import type { JsonValue } from '../../model.ts';
import { oneLine } from '../draft/unit.ts';
import type { FileRecord, PackageFacts, RecordedUnit, SpanRow } from '../file-record.ts';
import { contentHash } from '../reduce/units.ts';
import { compiler } from '../source/compiler.ts';
import { parseErrors } from '../source/parse.ts';
import { measurePositions, type Positions } from '../source/positions.ts';
import { entriesOf } from './entries.ts';
import { type JsonProperty, plainValue, propertiesOf, propertyOf, stringOf } from './json-values.ts';

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const PLAIN_FIELDS = ['version', 'private', 'type', 'main', 'module', 'types', 'workspaces'];
const MAX_COMMAND = 240;

/** Records a `package.json`: the package itself and its scripts. `bytes` is its length in UTF-8. */
export function recordPackage(text: string, bytes: number): FileRecord {
  const positions = measurePositions(text, bytes);
  const source = compiler.parseJsonText('package.json', text);
  const properties = propertiesOf(source.statements[0]?.expression);
  const name = stringOf(propertyOf(properties, 'name'));
  const facts: PackageFacts = {
    name,
    entries: entriesOf(properties),
    dependencies: dependenciesOf(source, properties, positions),
  };
  return {
    language: 'package',
    bytes,
    lines: positions.lines,
    specifiers: [],
    imports: [],
    exports: [],
    stars: [],
    units: [packageUnit(text, bytes, positions, properties), ...scriptUnits(source, properties, positions)],
    declarations: [],
    sites: [],
    shape: contentHash(JSON.stringify(facts)),
    errors: parseErrors(source, positions),
    package: facts,
  };
}

function dependenciesOf(
  source: ts.JsonSourceFile,
  properties: readonly JsonProperty[],
  positions: Positions,
): PackageFacts['dependencies'] {
  return DEPENDENCY_FIELDS.flatMap((field) =>
    propertiesOf(propertyOf(properties, field)).map(
      ({ name, value, node }) => [name, stringOf(value) ?? '', positions.lineOf(node.getStart(source))] as const,
    ),
  );
}

function packageUnit(
  text: string,
  bytes: number,
  positions: Positions,
  properties: readonly JsonProperty[],
): RecordedUnit {
  const name = stringOf(propertyOf(properties, 'name'));
  const version = stringOf(propertyOf(properties, 'version'));
  const metadata: { [key: string]: JsonValue } = {};
  for (const field of PLAIN_FIELDS) {
    const value = propertyOf(properties, field);
    if (value !== undefined) metadata[field] = plainValue(value);
  }
  for (const field of DEPENDENCY_FIELDS) {
    const names = propertiesOf(propertyOf(properties, field)).map((dependency) => dependency.name);
    if (names.length > 0) metadata[field] = names;
  }
  return {
    type: 'package',
    name: name ?? '',
    key: '',
    namespace: null,
    span: [0, bytes, 1, positions.lines],
    signature: name === null ? '' : version === null ? name : `${name}@${version}`,
    doc: stringOf(propertyOf(properties, 'description')),
    hash: contentHash(text),
    metadata,
  };
}

function scriptUnits(
  source: ts.JsonSourceFile,
  properties: readonly JsonProperty[],
  positions: Positions,
): RecordedUnit[] {
  const seen = new Set<string>();
  return propertiesOf(propertyOf(properties, 'scripts')).flatMap(({ name, value, node }): RecordedUnit[] => {
    const command = stringOf(value);
    if (command === null || seen.has(name)) return [];
    seen.add(name);
    return [
      {
        type: 'script',
        name,
        key: `scripts.${name}`,
        namespace: 'scripts',
        span: spanOf(node, source, positions),
        signature: oneLine(command, MAX_COMMAND),
        doc: null,
        hash: contentHash(node.getText(source)),
        metadata: { command },
      },
    ];
  });
}

function spanOf(node: ts.Node, source: ts.JsonSourceFile, positions: Positions): SpanRow {
  const start = node.getStart(source);
  return [positions.byteOf(start), positions.byteOf(node.end), positions.lineOf(start), positions.lineOf(node.end - 1)];
}
