/** Counts of a generation, kept by adding what a publish brings and taking away what it replaces. */
import type { FileBlock } from '../../model.ts';
import { NONE } from '../segment/columns.ts';
import { bodyRangeOf, unitTypeOf } from '../segment/rows.ts';
import { eachLiveFile, locateFile, type Place, type View } from '../segment/view.ts';
import type { Manifest, Totals } from './manifest.ts';

export interface Tally {
  readonly counts: Manifest['counts'];
  readonly totals: Totals;
}

interface Sums {
  readonly types: Map<string, number>;
  totals: Totals;
}

const NOTHING: Totals = { files: 0, skipped: 0, units: 0, edges: 0, sourceBytes: 0 };

/** The counts of `previous` after these paths were replaced or removed in it and these blocks added. */
export function tallyAfter(
  previous: { tally: Tally; view: View } | null,
  change: { blocks: readonly FileBlock[]; removed: Iterable<string> },
): Tally {
  const sums: Sums = {
    types: new Map(previous?.tally.counts),
    totals: previous?.tally.totals ?? NOTHING,
  };
  if (previous !== null) {
    for (const path of new Set([...change.blocks.map(({ input }) => input.path), ...change.removed])) {
      const place = locateFile(previous.view, path);
      if (place !== null) addPlace(sums, place, -1);
    }
  }
  for (const block of change.blocks) addBlock(sums, block);
  return finish(sums);
}

/** The counts of a view, from its rows alone. */
export function tallyOf(view: View): Tally {
  const sums: Sums = { types: new Map(), totals: NOTHING };
  eachLiveFile(view, (_, place) => addPlace(sums, place, 1));
  return finish(sums);
}

function addBlock(sums: Sums, { input, units, edges, source }: FileBlock): void {
  for (const { type } of units) add(sums.types, type, 1);
  sums.totals = plus(sums.totals, 1, {
    files: 1,
    skipped: input.skipped === null ? 0 : 1,
    units: units.length,
    edges: edges.length,
    sourceBytes: source === null ? 0 : Buffer.byteLength(source),
  });
}

function addPlace(sums: Sums, { segment, number }: Place, sign: 1 | -1): void {
  const { file_unit, file_skipped, unit_edge } = segment.columns;
  const first = file_unit[number] ?? 0;
  const end = file_unit[number + 1] ?? 0;
  for (let unit = first; unit < end; unit += 1) add(sums.types, unitTypeOf(segment, unit), sign);
  sums.totals = plus(sums.totals, sign, {
    files: 1,
    skipped: file_skipped[number] === NONE ? 0 : 1,
    units: end - first,
    edges: (unit_edge[end] ?? 0) - (unit_edge[first] ?? 0),
    sourceBytes: bodyRangeOf(segment, number)?.bytes ?? 0,
  });
}

function plus(totals: Totals, sign: 1 | -1, more: Totals): Totals {
  return {
    files: totals.files + sign * more.files,
    skipped: totals.skipped + sign * more.skipped,
    units: totals.units + sign * more.units,
    edges: totals.edges + sign * more.edges,
    sourceBytes: totals.sourceBytes + sign * more.sourceBytes,
  };
}

function add(types: Map<string, number>, type: string, count: number): void {
  types.set(type, (types.get(type) ?? 0) + count);
}

function finish({ types, totals }: Sums): Tally {
  const counts = [...types].filter(([, units]) => units !== 0);
  return { counts: counts.sort(([a], [b]) => (a < b ? -1 : 1)), totals };
}
