/** Units and edges as `--json` has them: in snake_case, under the names that the index design gives them. */
import type { UnitDetail, UnitSummary, Walk } from '@woods/index';

export function summaryJson({ identifier, type, name, path, line }: UnitSummary): { readonly [key: string]: unknown } {
  return { identifier, type, name, file_path: path, line };
}

export function detailJson(unit: UnitDetail): { readonly [key: string]: unknown } {
  const { span } = unit;
  return {
    identifier: unit.identifier,
    type: unit.type,
    name: unit.name,
    namespace: unit.namespace,
    file_path: unit.path,
    language: unit.language,
    span: { start: span.start, end: span.end, start_line: span.startLine, end_line: span.endLine },
    signature: unit.signature,
    doc: unit.doc,
    metadata: unit.metadata,
    content_hash: unit.contentHash,
  };
}

/** The edges at a unit, as it carries them: those that it has, or those that others have to it. */
export function edgesJson({ direction, edges }: Walk): readonly { readonly [key: string]: unknown }[] {
  return edges.map(({ source, target, via, resolution, line }) => ({
    ...(direction === 'dependencies' ? { target } : { source }),
    via,
    resolution,
    line,
  }));
}
