/** An index as text that two of them can be compared by: nothing of how, when or where it was published. */
import type { JsonValue } from '../model.ts';
import { edgesOfFile, type StoredEdge, type StoredUnit, unitsOfFile } from '../store/segment/rows.ts';
import { eachLiveFile, type View } from '../store/segment/view.ts';
import { compareText } from './units.ts';

/**
 * One line of JSON a unit, by identifier, then one an edge, by source, target, via, resolution and line. Two trees with
 * the same content give the same lines, however they were indexed, unless files are held.
 */
export function* canonicalLines(view: View): Generator<string> {
  const units: StoredUnit[] = [];
  const edges: StoredEdge[] = [];
  eachLiveFile(view, (_, { segment, number }) => {
    units.push(...unitsOfFile(segment, number));
    edges.push(...edgesOfFile(segment, number));
  });
  for (const unit of units.sort((a, b) => compareText(a.identifier, b.identifier))) yield unitLine(unit);
  for (const edge of edges.sort(compareEdges)) yield edgeLine(edge);
}

function unitLine(unit: StoredUnit): string {
  const { identifier, type, name, namespace, span, signature, doc, metadata, contentHash } = unit;
  return JSON.stringify({
    unit: identifier,
    type,
    name,
    namespace,
    span: [span.start, span.end, span.startLine, span.endLine],
    signature,
    doc,
    metadata: withSortedKeys(metadata),
    content_hash: contentHash,
  });
}

function edgeLine({ source, target, via, resolution, line }: StoredEdge): string {
  return JSON.stringify({ edge: source, target, via, resolution, line });
}

function compareEdges(a: StoredEdge, b: StoredEdge): number {
  return (
    compareText(a.source, b.source) ||
    compareText(a.target, b.target) ||
    compareText(a.via, b.via) ||
    compareText(a.resolution, b.resolution) ||
    a.line - b.line
  );
}

function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, inner]) => [key, withSortedKeys(inner)]),
  );
}
