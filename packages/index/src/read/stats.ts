import type { Totals } from '../store/generation/manifest.ts';
import type { Snapshot } from './snapshot.ts';
import { compareText } from './units.ts';

/** Counts of a name, in alphabetical order of the names. */
export type Counts = readonly (readonly [name: string, count: number])[];

export interface IndexStats extends Totals {
  readonly generation: number;
  readonly publishedAt: string;
  readonly unitsByType: Counts;
  readonly edgesByVia: Counts;
  readonly edgesByResolution: Counts;
  readonly filesByLanguage: Counts;
  readonly held: number;
  readonly segments: number;
  /** On disk: segments and bodies. */
  readonly bytes: number;
}

export function statsOf(snapshot: Snapshot, languages: Iterable<string | null>): IndexStats {
  const { manifest, view, pointer } = snapshot;
  const vias = new Map<string, number>();
  const resolutions = new Map<string, number>();
  for (const [at, segment] of view.segments.entries()) {
    const { unit_edge, edge_via, edge_resolution } = segment.columns;
    for (let unit = 0; unit < segment.header.counts.unit; unit += 1) {
      if (view.deadUnits[(view.firstUnit[at] ?? 0) + unit] === 1) continue;
      for (let edge = unit_edge[unit] ?? 0; edge < (unit_edge[unit + 1] ?? 0); edge += 1) {
        count(vias, segment.header.vias[edge_via[edge] ?? 0] ?? '');
        count(resolutions, segment.header.resolutions[edge_resolution[edge] ?? 0] ?? '');
      }
    }
  }
  const byLanguage = new Map<string, number>();
  for (const language of languages) count(byLanguage, language ?? 'other');
  return {
    ...manifest.totals,
    generation: pointer.number,
    publishedAt: manifest.publishedAt,
    unitsByType: manifest.counts,
    edgesByVia: sorted(vias),
    edgesByResolution: sorted(resolutions),
    filesByLanguage: sorted(byLanguage),
    held: manifest.held.length,
    segments: manifest.segments.length,
    bytes: manifest.segments.reduce((sum, { bytes, bodiesBytes }) => sum + bytes + bodiesBytes, 0),
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Counts {
  return [...counts].sort(([a], [b]) => compareText(a, b));
}
