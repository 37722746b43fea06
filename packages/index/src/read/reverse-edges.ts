import { edgeTarget } from '../store/segment/targets.ts';
import { unitTotal, type View } from '../store/segment/view.ts';

/** Who points at a unit: the edges into it, with the unit that each one comes from. */
export interface ReverseEdges {
  /** Where the edges into each unit begin in the arrays below; one element more than there are units. */
  readonly first: Uint32Array;
  /** Global number of the unit that the edge comes from. */
  readonly sources: Uint32Array;
  /** Number of the edge inside the segment of its source. */
  readonly edges: Uint32Array;
}

/** Live edges of live units, counted and then placed: two passes, no objects. */
export function reverseEdges(view: View): ReverseEdges {
  const first = new Uint32Array(unitTotal(view) + 1);
  const targets: Int32Array[] = [];
  for (const [at, segment] of view.segments.entries()) {
    const resolved = new Int32Array(segment.header.counts.edge).fill(-1);
    const { unit_edge, edge_target } = segment.columns;
    const base = view.firstUnit[at] ?? 0;
    eachLiveUnit(view, at, (_, unit) => {
      for (let edge = unit_edge[unit] ?? 0; edge < (unit_edge[unit + 1] ?? 0); edge += 1) {
        // Nearly all edges stay among living units of their own segment, and need no look-up.
        const own = edge_target[edge] ?? -1;
        const target = own >= 0 && view.deadUnits[base + own] === 0 ? base + own : edgeTarget(view, at, edge);
        resolved[edge] = target;
        if (target >= 0) first[target + 1] = (first[target + 1] ?? 0) + 1;
      }
    });
    targets.push(resolved);
  }
  for (let unit = 1; unit < first.length; unit += 1) first[unit] = (first[unit] ?? 0) + (first[unit - 1] ?? 0);
  const total = first[first.length - 1] ?? 0;
  const reverse = { first, sources: new Uint32Array(total), edges: new Uint32Array(total) };
  place(view, targets, reverse);
  return reverse;
}

function place(view: View, targets: readonly Int32Array[], reverse: ReverseEdges): void {
  const next = reverse.first.slice();
  for (const [at, segment] of view.segments.entries()) {
    const { unit_edge } = segment.columns;
    eachLiveUnit(view, at, (global, unit) => {
      for (let edge = unit_edge[unit] ?? 0; edge < (unit_edge[unit + 1] ?? 0); edge += 1) {
        const target = targets[at]?.[edge] ?? -1;
        if (target < 0) continue;
        const to = next[target] ?? 0;
        next[target] = to + 1;
        reverse.sources[to] = global;
        reverse.edges[to] = edge;
      }
    });
  }
}

function eachLiveUnit(view: View, at: number, visit: (global: number, unit: number) => void): void {
  const first = view.firstUnit[at] ?? 0;
  const end = view.firstUnit[at + 1] ?? 0;
  for (let global = first; global < end; global += 1) {
    if (view.deadUnits[global] !== 1) visit(global, global - first);
  }
}
