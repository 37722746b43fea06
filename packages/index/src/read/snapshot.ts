/** One generation in memory, with what answers have computed from it so far. It never changes. */
import type { Generation } from '../store/generation/load.ts';
import { stringAt } from '../store/segment/segment.ts';
import type { View } from '../store/segment/view.ts';
import { type ReverseEdges, reverseEdges } from './reverse-edges.ts';

export interface Snapshot extends Generation {
  /** Short names by global unit number; empty for dead units. Decoded at the first call. */
  names(): readonly string[];
  /** Computed at the first call. */
  reverse(): ReverseEdges;
}

export function snapshotOf(generation: Generation): Snapshot {
  let names: readonly string[] | null = null;
  let reverse: ReverseEdges | null = null;
  return {
    ...generation,
    names: () => {
      names ??= namesOf(generation.view);
      return names;
    },
    reverse: () => {
      reverse ??= reverseEdges(generation.view);
      return reverse;
    },
  };
}

function namesOf(view: View): string[] {
  return view.segments.flatMap((segment, at) => {
    const first = view.firstUnit[at] ?? 0;
    return Array.from(segment.columns.unit_name, (name, unit) =>
      view.deadUnits[first + unit] === 1 ? '' : stringAt(segment, name),
    );
  });
}
