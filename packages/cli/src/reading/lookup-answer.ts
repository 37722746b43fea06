import type { IndexQueries, UnitDetail, Walk } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { columns, count, onOneLine } from '../output/words.ts';
import { detailJson, edgesJson } from './unit-json.ts';
import { unitNamed } from './unit-named.ts';
import { walkRows } from './walk-rows.ts';

/** Neighbours that text lists; `woods deps` lists more. */
const MAX_LISTED = 20;

interface Looked {
  readonly unit: UnitDetail;
  /** Null when it was left out. */
  readonly source: string | null;
  readonly dependencies: Walk;
  readonly dependents: Walk;
}

/** The answer of `woods lookup`. Fails when the name is unknown or means several units. */
export function lookupAnswer(queries: IndexQueries, name: string, options: { source: 'show' | 'leave_out' }): Answer {
  const unit = unitNamed(queries, name);
  const looked: Looked = {
    unit,
    source: options.source === 'show' ? queries.source(unit.identifier) : null,
    dependencies: queries.dependencies(unit.identifier),
    dependents: queries.dependents(unit.identifier),
  };
  return { exitCode: 0, json: { unit: lookedJson(looked) }, text: lookedLines(looked), words: [] };
}

function lookedJson({ unit, source, dependencies, dependents }: Looked): { readonly [key: string]: unknown } {
  return {
    ...detailJson(unit),
    ...(source === null ? {} : { source_code: source }),
    dependencies: edgesJson(dependencies),
    dependents: edgesJson(dependents),
    partial: dependencies.partial || dependents.partial,
  };
}

function* lookedLines({ unit, source, dependencies, dependents }: Looked): Generator<string> {
  const { identifier, type, path, span, signature, doc } = unit;
  yield `${onOneLine(identifier)}  ${type}  ${onOneLine(path)}:${span.startLine}-${span.endLine}`;
  if (signature !== '') yield `  ${onOneLine(signature)}`;
  for (const line of doc?.split('\n') ?? []) yield `  ${onOneLine(line)}`;
  yield* neighbourLines('uses', dependencies, '');
  yield* neighbourLines('used by', dependents, ' --reverse');
  if (source === null) return;
  yield '';
  yield* source.replace(/\r?\n$/, '').split(/\r?\n/);
}

function* neighbourLines(title: string, walk: Walk, option: string): Generator<string> {
  const { nodes, partial, root } = walk;
  if (nodes.length === 0) {
    yield `${title} nothing`;
    return;
  }
  yield `${title} ${count(nodes.length, 'unit')}${partial ? ' or more' : ''}:`;
  yield* columns(walkRows(walk).slice(0, MAX_LISTED));
  const rest = nodes.length - MAX_LISTED;
  if (rest > 0) yield `  and ${rest} more: woods deps '${onOneLine(root.identifier)}'${option}`;
}
