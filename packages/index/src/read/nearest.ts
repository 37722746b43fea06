/** Units that a mistyped name may have meant. */
import { qualifiedNameOf } from '../store/segment/segment.ts';
import { unitPlace } from '../store/segment/view.ts';
import type { Snapshot } from './snapshot.ts';
import { compareText, liveUnits, summaryOf, type UnitSummary } from './units.ts';

/**
 * At most `limit` units, best first: names that differ in case only, then by the number of edits (up to a third of the
 * length), then longer names that begin with the wanted one or contain it. Of an identifier only what follows its path
 * is compared; units of that path come first among equals.
 */
export function nearestUnits(snapshot: Snapshot, wanted: string, limit = 5): UnitSummary[] {
  const { view } = snapshot;
  const { path, name } = splitWanted(wanted);
  const folded = name.toLowerCase();
  if (folded.length === 0) return [];
  const names = snapshot.names();
  const ranked: { unit: number; distance: number }[] = [];
  for (const unit of liveUnits(view)) {
    const short = nearness(folded, (names[unit] ?? '').toLowerCase());
    if (short !== null) ranked.push({ unit, distance: short });
    else if (/[.:#/]/.test(name)) {
      const { segment, number } = unitPlace(view, unit);
      const long = nearness(folded, qualifiedNameOf(segment, number)?.toLowerCase() ?? '');
      if (long !== null) ranked.push({ unit, distance: long });
    }
  }
  ranked.sort((a, b) => a.distance - b.distance);
  // Ties are broken among the best only, since each costs a decoded identifier.
  const worst = ranked[limit - 1]?.distance ?? Number.POSITIVE_INFINITY;
  return ranked
    .filter(({ distance }) => distance <= worst)
    .slice(0, 1000)
    .map(({ unit, distance }) => ({ distance, summary: summaryOf(view, unit) }))
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.summary.path === path) - Number(a.summary.path === path) ||
        a.summary.name.length - b.summary.name.length ||
        compareText(a.summary.identifier, b.summary.identifier),
    )
    .slice(0, limit)
    .map(({ summary }) => summary);
}

function splitWanted(wanted: string): { path: string | null; name: string } {
  const hash = wanted.lastIndexOf('#');
  if (hash > 0) return { path: wanted.slice(0, hash), name: wanted.slice(hash + 1) };
  return { path: null, name: wanted.slice(wanted.lastIndexOf('/') + 1) };
}

function nearness(wanted: string, name: string): number | null {
  if (name.length === 0) return null;
  if (name === wanted) return 0;
  const reach = Math.max(1, Math.floor(wanted.length / 3));
  const edits = Math.abs(name.length - wanted.length) > reach ? null : editDistance(wanted, name, reach);
  if (edits !== null) return edits;
  if (wanted.length < 3) return null;
  if (name.startsWith(wanted)) return reach + 1;
  return name.includes(wanted) ? reach + 2 : null;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; null above `limit`. */
export function editDistance(a: string, b: string, limit: number): number | null {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = value;
      best = Math.min(best, value);
    }
    if (best > limit) return null;
    beforeLast = last;
    last = row;
  }
  const distance = last[b.length] ?? 0;
  return distance <= limit ? distance : null;
}
