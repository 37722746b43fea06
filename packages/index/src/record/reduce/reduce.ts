import type { ExportDraft, FileDraft, SiteDraft } from '../draft/draft.ts';
import { lookUp } from '../draft/scope.ts';
import type { Expression, FileRecord, ImportRow, Language, ParseError, Site, Table } from '../file-record.ts';
import { compiler } from '../source/compiler.ts';
import type { Positions } from '../source/positions.ts';
import { finishDeclaration, reduceReached } from './declarations.ts';
import { reduceExpression, requiresModules } from './expressions.ts';
import { type Content, numberOf, type Reduction } from './reduction.ts';
import { shapeOf } from './shape.ts';
import { finishUnits, keptUnit, numberUnits } from './units.ts';

interface FileFacts {
  readonly language: Language;
  readonly bytes: number;
  readonly positions: Positions;
  readonly errors: readonly ParseError[];
}

/** From what was gathered while walking to the plain record. */
export function reduceFile(file: FileDraft, { language, bytes, positions, errors }: FileFacts): FileRecord {
  const reduction: Reduction = { file, reached: [] };
  const contents: Content[] = [];
  const exports = reduceExports(reduction);
  reduceReached(reduction, contents);
  const visible = contents.length;
  const targets = file.sites.map((site) => reduceTarget(reduction, site));
  reduceReached(reduction, contents);

  const kept = numberUnits(file);
  const units = finishUnits(file, kept, positions);
  const declarations = reduction.reached.flatMap((draft, number) => {
    const content = contents[number];
    return content === undefined ? [] : [finishDeclaration(draft, content)];
  });
  const imports = file.imports
    .filter(({ required }) => required === null || requiresModules(required))
    .map(({ specifier, via, at, names }): ImportRow => [specifier, via, positions.lineOf(at), names]);
  const specifiers = [...file.specifiers.keys()];
  return {
    language,
    bytes,
    lines: positions.lines,
    specifiers,
    imports,
    exports,
    stars: file.stars,
    units,
    declarations,
    sites: finishSites(file.sites, targets, positions),
    shape: shapeOf({ exports, stars: file.stars, specifiers, units, declarations: declarations.slice(0, visible) }),
    errors,
    package: null,
  };
}

/** What is exported is a unit, also when it is a variable. */
function reduceExports(reduction: Reduction): Table {
  const table: [string, number][] = [];
  for (const [name, what] of reduction.file.exports) {
    const draft = draftOf(what);
    if (draft === null) continue;
    for (const { unit } of draft.group) {
      if (unit === null) continue;
      unit.kept = true;
      unit.metadata.exported = true;
    }
    const number = numberOf(reduction, draft);
    if (number !== null) table.push([name, number]);
  }
  return table;
}

function draftOf(what: ExportDraft) {
  if ('draft' in what) return what.draft;
  return lookUp(what.scope, what.local, 'value') ?? lookUp(what.scope, what.local, 'type');
}

/** A variable that is called is a unit, so that the call leads somewhere. */
function reduceTarget(reduction: Reduction, { via, target, scope }: SiteDraft): Expression | null {
  const isType = via === 'implements' || (via === 'extends' && scope.unit.type === 'interface');
  const expression = reduceExpression(reduction, target, scope, isType ? 'type' : 'value');
  if (typeof expression === 'number' && compiler.isIdentifier(target) && (via === 'call' || via === 'new')) {
    const unit = reduction.reached[expression]?.unit;
    if (unit) unit.kept = true;
  }
  return expression;
}

function finishSites(
  sites: readonly SiteDraft[],
  targets: readonly (Expression | null)[],
  positions: Positions,
): Site[] {
  const rows: Site[] = [];
  for (const [index, { via, at, scope }] of sites.entries()) {
    const target = targets[index];
    if (target !== null && target !== undefined) {
      rows.push([via, keptUnit(scope.unit).number, positions.lineOf(at), target]);
    }
  }
  return rows;
}
