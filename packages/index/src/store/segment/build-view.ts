/** Which rows of several segments are dead: found once, when the segments are put together. */
import { findFile, pathOf, type Segment } from './segment.ts';
import { locateFile, type Place, type View } from './view.ts';

type Marked = Omit<View, 'young' | 'memo'>;

/** `segments` from the oldest to the newest. */
export function viewOfSegments(segments: readonly Segment[]): View {
  const firstUnit = runningSums(segments.map(({ header }) => header.counts.unit));
  const firstFile = runningSums(segments.map(({ header }) => header.counts.file));
  const deadFiles = new Uint8Array(firstFile[segments.length] ?? 0);
  const deadUnits = new Uint8Array(firstUnit[segments.length] ?? 0);
  const young = markDead({ segments, firstUnit, firstFile, deadFiles, deadUnits });
  const outside = segments.map(() => new Map<number, number>());
  return { segments, firstUnit, firstFile, deadFiles, deadUnits, young, memo: { successors: null, outside } };
}

/** `view` with one segment after its newest: what has to be marked is only what that one replaces. */
export function extendView(view: View, segment: Segment): View {
  const at = view.segments.length;
  if (at === 0) return viewOfSegments([segment]);
  const segments = [...view.segments, segment];
  const extended = {
    segments,
    firstUnit: runningSums(segments.map(({ header }) => header.counts.unit)),
    firstFile: runningSums(segments.map(({ header }) => header.counts.file)),
    deadFiles: grown(view.deadFiles, segment.header.counts.file),
    deadUnits: grown(view.deadUnits, segment.header.counts.unit),
  };
  const young = new Map(view.young);
  const replace = (path: string, place: Place | null): void => {
    const before = locateFile(view, path);
    if (before !== null) markFile(extended, before);
    young.set(path, place);
  };
  // Tombstones first: what a segment holds, it does not delete.
  for (const path of segment.tombstones) replace(path, null);
  for (let file = 0; file < segment.header.counts.file; file += 1) {
    replace(pathOf(segment, file), { at, segment, number: file });
  }
  return { ...extended, young, memo: { successors: null, outside: segments.map(() => new Map<number, number>()) } };
}

function grown(flags: Uint8Array, more: number): Uint8Array {
  const longer = new Uint8Array(flags.length + more);
  longer.set(flags);
  return longer;
}

function runningSums(counts: readonly number[]): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  for (const [at, count] of counts.entries()) sums[at + 1] = (sums[at] ?? 0) + count;
  return sums;
}

/** Newest first, looking each path that was met so far up in the next older segment: the cost follows the changes. */
function markDead(view: Marked): Map<string, Place | null> {
  const young = new Map<string, Place | null>();
  const paths: Buffer[] = [];
  const note = (path: string, place: Place | null): void => {
    if (young.has(path)) return;
    young.set(path, place);
    paths.push(Buffer.from(path));
  };
  for (let at = view.segments.length - 1; at >= 0; at -= 1) {
    const segment = view.segments[at];
    if (segment === undefined) continue;
    for (const path of paths) {
      const file = findFile(segment, path);
      if (file >= 0) markFile(view, { at, segment, number: file });
    }
    if (at === 0) break;
    for (let file = 0; file < segment.header.counts.file; file += 1) {
      note(pathOf(segment, file), { at, segment, number: file });
    }
    for (const path of segment.tombstones) note(path, null);
  }
  return young;
}

function markFile({ deadFiles, deadUnits, firstFile, firstUnit }: Marked, place: Place): void {
  const { file_unit } = place.segment.columns;
  deadFiles[(firstFile[place.at] ?? 0) + place.number] = 1;
  const first = firstUnit[place.at] ?? 0;
  deadUnits.fill(1, first + (file_unit[place.number] ?? 0), first + (file_unit[place.number + 1] ?? 0));
}
