import type { IndexQueries, IndexStats } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { bytes, columns, count, grouped } from '../output/words.ts';

/** The answer of `woods stats`. */
export function statsAnswer(queries: IndexQueries): Answer {
  const stats = queries.stats();
  return {
    exitCode: 0,
    json: { stats: statsJson(stats), git: queries.manifest().git },
    text: statsLines(stats),
    words: [],
  };
}

function statsJson(stats: IndexStats): { readonly [key: string]: unknown } {
  return {
    files: stats.files,
    skipped: stats.skipped,
    held: stats.held,
    units: stats.units,
    edges: stats.edges,
    source_bytes: stats.sourceBytes,
    units_by_type: Object.fromEntries(stats.unitsByType),
    edges_by_via: Object.fromEntries(stats.edgesByVia),
    edges_by_resolution: Object.fromEntries(stats.edgesByResolution),
    files_by_language: Object.fromEntries(stats.filesByLanguage),
    segments: stats.segments,
    index_bytes: stats.bytes,
  };
}

function* statsLines(stats: IndexStats): Generator<string> {
  const { files, skipped, held, sourceBytes } = stats;
  yield `generation ${stats.generation}, published ${stats.publishedAt}`;
  yield `${count(files, 'file')} (${skipped} skipped, ${held} held), ${bytes(sourceBytes)} of source`;
  yield `${count(stats.units, 'unit')}, ${count(stats.edges, 'edge')}`;
  yield `${count(stats.segments, 'segment')}, ${bytes(stats.bytes)} on disk`;
  yield* table('units by type', stats.unitsByType);
  yield* table('edges by kind', stats.edgesByVia);
  yield* table('edges by resolution', stats.edgesByResolution);
  yield* table('files by language', stats.filesByLanguage);
}

/** The largest first. */
function* table(title: string, counts: IndexStats['unitsByType']): Generator<string> {
  if (counts.length === 0) return;
  yield `${title}:`;
  const rows = [...counts].sort(([, a], [, b]) => b - a).map(([name, number]) => [grouped(number), name] as const);
  const width = Math.max(...rows.map(([number]) => number.length));
  yield* columns(rows.map(([number, name]) => [`  ${number.padStart(width)}`, name]));
}
