import type { Walk } from '@woods/index';
import { onOneLine } from '../output/words.ts';

/** Indented by depth: a unit that was reached, how, and where in the source the first such edge stands. */
export function walkRows({ root, direction, nodes, edges }: Walk): string[][] {
  const units = [root, ...nodes.map(({ unit }) => unit)];
  const pathOf = new Map(units.map(({ identifier, path }) => [identifier, path]));
  const edgesTo = new Map<string, Walk['edges'][number][]>();
  for (const edge of edges) {
    const far = direction === 'dependencies' ? edge.target : edge.source;
    const known = edgesTo.get(far);
    if (known === undefined) edgesTo.set(far, [edge]);
    else known.push(edge);
  }
  return nodes.map(({ unit, depth }) => {
    const reaching = edgesTo.get(unit.identifier) ?? [];
    const vias = [...new Set(reaching.map(({ via }) => via))].join(', ');
    const [first] = reaching;
    const path = first === undefined ? unit.path : (pathOf.get(first.source) ?? first.source);
    return [
      `${'  '.repeat(depth)}${onOneLine(unit.identifier)}`,
      vias,
      `${onOneLine(path)}:${first?.line ?? unit.line}`,
    ];
  });
}

/** Why a walk is not whole, for people; null when it is. */
export function partialLine({ partial, reason }: Walk, limit: number): string | null {
  if (!partial) return null;
  return reason === 'node_budget'
    ? `the answer is partial: it was cut at ${limit} units; --limit raises that`
    : 'the answer is partial: it was cut at its number of edges; narrow it with --via, --type or --depth';
}
