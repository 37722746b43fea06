import type { Edge, Resolution, Via } from '../model.ts';
import type { Site } from '../record/file-record.ts';
import { identifierAt, type LinkFile, unitOf } from './link-file.ts';
import { exportOf } from './look-up/exports.ts';
import { type Meaning, referentOf, withMeaning } from './look-up/expressions.ts';
import type { Referent } from './look-up/referent.ts';
import type { LinkRun } from './run.ts';

/** The unit that stands for the whole file. */
const MODULE = 0;

/** One edge for each source, target and kind, with the first line it is found on; in the order of the file. */
interface EdgeList {
  readonly edges: Edge[];
  /** By target, the edges that lead there: few each. */
  readonly byTarget: Map<string, Edge[]>;
}

/** All edges from units of one file. Reads other files only through `run`, which notes them. */
export function edgesOf(run: LinkRun, file: LinkFile): Edge[] {
  const list: EdgeList = { edges: [], byTarget: new Map() };
  addImports(run, file, list);
  for (const site of file.record.sites) addSite(run, file, site, list);
  return list.edges;
}

function addEdge({ edges, byTarget }: EdgeList, edge: Edge): void {
  const same = byTarget.get(edge.target);
  if (same?.some(({ via, source }) => via === edge.via && source === edge.source)) return;
  if (same === undefined) byTarget.set(edge.target, [edge]);
  else same.push(edge);
  edges.push(edge);
}

function addImports(run: LinkRun, file: LinkFile, list: EdgeList): void {
  const source = identifierAt(file, MODULE);
  for (const [specifier, via, line, names] of file.record.imports) {
    const target = run.targetOf(file, specifier);
    if (target === null) continue;
    addEdge(list, { source, target: identifierAt(target, MODULE), via, resolution: 'import', line });
    for (const name of names) {
      const referent = exportOf(run, target, name, 'import');
      const unit = referent === null ? null : unitOfReferent(referent, via === 'type_import' ? 'type' : 'value');
      if (unit !== null) addEdge(list, { source, target: unit, via, resolution: 'import', line });
    }
  }
}

function addSite(run: LinkRun, file: LinkFile, [via, unit, line, expression]: Site, list: EdgeList): void {
  const referent = referentOf(run, file, expression);
  if (referent === null || referent.kind === 'module') return;
  const sourceType = file.record.units[unit]?.type;
  const isType = via === 'implements' || (via === 'extends' && sourceType === 'interface');
  const target = unitOfReferent(referent, isType ? 'type' : 'value');
  if (target === null) return;
  const source = identifierAt(file, unit);
  add(list, source, target, via, referent.by, line);
  const calls = via === 'call' || via === 'new';
  if (calls && sourceType === 'test_suite' && isUnderTest(referent.definition.file, file)) {
    add(list, source, target, 'tests', referent.by, line);
  }
}

function add(list: EdgeList, source: string, target: string, via: Via, resolution: Resolution, line: number): void {
  addEdge(list, { source, target, via, resolution, line });
}

/** Helpers that live in test files are called by tests, not tested by them. */
function isUnderTest(file: LinkFile, by: LinkFile): boolean {
  return file !== by && !file.record.units.some((unit) => unit.type === 'test_suite');
}

/** Where a name stands for a value and a type, the unit of the one that is meant; else of the one that there is. */
function unitOfReferent(referent: Referent, meaning: Meaning): string | null {
  if (referent.kind === 'module') return identifierAt(referent.file, MODULE);
  return unitOf(withMeaning(referent.definition, meaning) ?? referent.definition);
}
