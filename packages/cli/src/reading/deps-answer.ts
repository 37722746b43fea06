import type { IndexQueries, Walk } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { columns, count, onOneLine } from '../output/words.ts';
import { summaryJson } from './unit-json.ts';
import { unitNamed } from './unit-named.ts';
import { unknownLine } from './unknown-line.ts';
import { partialLine, walkRows } from './walk-rows.ts';

export interface DepsRequest {
  readonly direction: Walk['direction'];
  readonly depth: number;
  /** Units listed. */
  readonly limit: number;
  readonly via: readonly string[] | undefined;
  readonly types: readonly string[] | undefined;
  readonly guesses: 'leave_out' | 'include';
}

/** Edges grow faster than units; past this an answer is no longer read, only parsed. */
const EDGES_PER_UNIT = 20;

/** The answer of `woods deps`. Fails when the name is unknown or means several units. */
export function depsAnswer(queries: IndexQueries, name: string, request: DepsRequest): Answer {
  const { depth, limit } = request;
  const { identifier } = unitNamed(queries, name);
  const walk = walkFrom(queries, identifier, request);
  return {
    exitCode: 0,
    json: walkJson(walk, depth),
    text: walkLines(walk),
    words: [partialLine(walk, limit), ...unknownWords(queries, request)].filter((line) => line !== null),
  };
}

function walkFrom(queries: IndexQueries, identifier: string, request: DepsRequest): Walk {
  const { direction, depth, limit, via, types, guesses } = request;
  const options = {
    depth,
    guesses,
    maxNodes: limit,
    maxEdges: limit * EDGES_PER_UNIT,
    ...(via === undefined ? {} : { via }),
    ...(types === undefined ? {} : { types }),
  };
  return direction === 'dependencies'
    ? queries.dependencies(identifier, options)
    : queries.dependents(identifier, options);
}

function walkJson({ root, direction, nodes, edges, partial, reason }: Walk, depth: number): Answer['json'] {
  return {
    unit: summaryJson(root),
    direction,
    depth,
    nodes: nodes.map(({ unit, depth: steps }) => ({ ...summaryJson(unit), depth: steps })),
    edges: edges.map(({ source, target, via, resolution, line }) => ({ source, target, via, resolution, line })),
    partial,
    reason,
  };
}

function* walkLines(walk: Walk): Generator<string> {
  const { root, direction, nodes } = walk;
  const name = onOneLine(root.identifier);
  const number = nodes.length === 0 ? 'nothing' : count(nodes.length, 'unit');
  yield direction === 'dependencies' ? `${name} uses ${number}` : `${name} is used by ${number}`;
  yield* columns(walkRows(walk));
}

/** A misspelt filter would otherwise look like an answer: nothing. */
function unknownWords(queries: IndexQueries, { via, types }: DepsRequest): (string | null)[] {
  if (via === undefined && types === undefined) return [];
  const { edgesByVia, unitsByType } = queries.stats();
  return [unknownLine('edges of kind', via, edgesByVia), unknownLine('units of type', types, unitsByType)];
}
