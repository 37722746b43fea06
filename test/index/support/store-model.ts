/** A published index as a plain map of blocks, and a reader held against it. */
import { expect } from 'vitest';
import type { Edge, FileBlock } from '../../../packages/index/src/model.ts';
import type { IndexReader } from '../../../packages/index/src/read/index.ts';
import { loadPublished } from '../../../packages/index/src/store/index.ts';
import { validateIndex } from '../../../packages/index/src/validate/index.ts';
import { groupedEdges } from './store-blocks.ts';

export type Model = ReadonlyMap<string, FileBlock>;

/** Everything that the index in `indexDir` says must be what `model` says, by way of the reader and of the writer. */
export function expectSame(indexDir: string, reader: IndexReader, model: Model): void {
  expectReader(reader, model);
  expectWriter(indexDir, model);
  const known = identifiers(model);
  const dangling = allEdges(model).filter(({ target }) => !known.has(target));
  const { findings } = validateIndex(indexDir);
  expect(findings.filter((finding) => !finding.includes('which is no unit'))).toEqual([]);
  expect(findings).toHaveLength(dangling.length);
}

function expectReader(reader: IndexReader, model: Model): void {
  const blocks = [...model.values()];
  expect(reader.files()).toEqual(
    blocks
      .map(({ input: { path, size, hash, language, skipped }, units }) => {
        return { path, size, hash, language, skipped, units: units.length };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
  const live = identifiers(model);
  const edges = allEdges(model);
  const found = new Map([...reader.units()].map((unit) => [unit.identifier, unit]));
  expect(found.size).toBe(live.size);
  for (const { input, units, source } of blocks) {
    for (const unit of units) {
      const expected = { ...unit, path: input.path, language: input.language };
      expect(found.get(unit.identifier)).toEqual(expected);
      expect(reader.unit(unit.identifier)).toEqual(expected);
      const text = Buffer.from(source ?? '').subarray(unit.span.start, unit.span.end);
      expect(reader.source(unit.identifier)).toBe(text.toString('utf8'));
      expectEdges(reader, { live, edges }, unit.identifier);
    }
  }
  expectCounts(reader, model);
}

function expectEdges(
  reader: IndexReader,
  { live, edges }: { live: ReadonlySet<string>; edges: readonly Edge[] },
  identifier: string,
): void {
  expect(reader.edgesOf(identifier)).toEqual(edges.filter(({ source }) => source === identifier));
  const all = { depth: 1, guesses: 'include', maxNodes: 10_000, maxEdges: 10_000 } as const;
  const key = (edge: { source: string; target: string; line: number }) => `${edge.source} ${edge.target} ${edge.line}`;
  const out = edges.filter(({ source, target }) => source === identifier && target !== identifier && live.has(target));
  expect(reader.dependencies(identifier, all).edges.map(key)).toEqual(out.map(key));
  const into = edges.filter(({ source, target }) => target === identifier && source !== identifier);
  expect(reader.dependents(identifier, all).edges.map(key).sort()).toEqual(into.map(key).sort());
}

function expectCounts(reader: IndexReader, model: Model): void {
  const blocks = [...model.values()];
  const { totals, counts } = reader.manifest();
  expect(totals).toEqual({
    files: blocks.length,
    skipped: blocks.filter(({ input }) => input.skipped !== null).length,
    units: blocks.reduce((sum, { units }) => sum + units.length, 0),
    edges: blocks.reduce((sum, { edges }) => sum + edges.length, 0),
    sourceBytes: blocks.reduce((sum, { source }) => sum + Buffer.byteLength(source ?? ''), 0),
  });
  const types = new Map<string, number>();
  for (const { type } of blocks.flatMap(({ units }) => units)) types.set(type, (types.get(type) ?? 0) + 1);
  expect(new Map(counts)).toEqual(types);
}

function expectWriter(indexDir: string, model: Model): void {
  const published = loadPublished(indexDir);
  if (published.kind === 'none') throw new Error(published.reason);
  expect([...published.paths].sort()).toEqual([...model.keys()].sort());
  expect(published.inputs).toEqual(new Map([...model].map(([path, { input }]) => [path, input])));
  for (const [path, block] of model) {
    expect(published.blockOf(path)).toEqual({ ...block, edges: groupedEdges(block) });
  }
  expect(published.blockOf('no/such/file')).toBeNull();
}

export function identifiers(model: Model): Set<string> {
  return new Set([...model.values()].flatMap(({ units }) => units.map(({ identifier }) => identifier)));
}

export function allEdges(model: Model): Edge[] {
  return [...model.values()].flatMap(groupedEdges);
}
