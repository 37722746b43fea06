/** Blocks and index directories for tests of store, read and validate. */
import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edge, FileBlock, SourceInput, Unit } from '../../../packages/index/src/model.ts';
import { type PublishResult, publishGeneration } from '../../../packages/index/src/store/generation/publish.ts';
import type { PublishRequest } from '../../../packages/index/src/store/generation/publish-request.ts';

const directories: string[] = [];

/** A new directory; the index directory in it is not made yet. */
export function temporaryIndexDir(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'woods-store-')));
  directories.push(directory);
  return join(directory, 'index');
}

/** For afterEach. */
export function removeIndexDirs(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

export interface BlockShape {
  /** Qualified names; a unit called as the file comes first by itself. */
  readonly units?: readonly string[];
  /** From a qualified name (or null: the file's own unit) to an identifier. */
  readonly edges?: readonly (readonly [from: string | null, target: string, more?: Partial<Edge>])[];
  readonly source?: string;
  readonly input?: Partial<SourceInput>;
  /** Shows in every field that may change. */
  readonly version?: number;
}

/** Without `source` each unit is a line of its own; with it every unit is the whole text. */
export function fileBlock(path: string, shape: BlockShape = {}): FileBlock {
  const { units = [], edges = [], version = 0 } = shape;
  const lines = [`// ${path} ${version}`, ...units.map((name) => `export const ${name} = '${name} ${version}';`)];
  const source = shape.source ?? `${lines.join('\n')}\n`;
  const bytes = Buffer.byteLength(source);
  const hash = createHash('sha256').update(source).digest('hex');
  const identifierOf = (name: string | null) => (name === null ? path : `${path}#${name}`);
  return {
    input: {
      path,
      size: bytes,
      mtimeNs: 1_700_000_000_123_456_789n + BigInt(version),
      ctimeNs: -5n,
      ino: 2n ** 63n + BigInt(version),
      hash,
      language: 'typescript',
      skipped: null,
      ...shape.input,
    },
    units: [null, ...units].map((name, at): Unit => {
      const isWhole = name === null || shape.source !== undefined;
      const start = isWhole ? 0 : Buffer.byteLength(lines.slice(0, at).join('\n')) + 1;
      const end = isWhole ? bytes : start + Buffer.byteLength(lines[at] ?? '');
      return {
        identifier: identifierOf(name),
        type: name === null ? 'module' : 'variable',
        name: name === null ? path.slice(path.lastIndexOf('/') + 1) : name.slice(name.lastIndexOf('.') + 1),
        namespace: name?.includes('.') ? name.slice(0, name.lastIndexOf('.')) : null,
        span: { start, end, startLine: isWhole ? 1 : at + 1, endLine: isWhole ? lines.length : at + 1 },
        signature: `const ${name} ${version}`,
        doc: at % 2 === 0 ? null : `Ünïcode doc 🌲 of ${name}`,
        metadata: at % 3 === 0 ? {} : { version, toJSON: [1, 'two', null] },
        contentHash: hash.slice(at % 8, (at % 8) + 16),
      };
    }),
    edges: edges.map(([from, target, more], at) => ({
      source: identifierOf(from),
      target,
      via: 'call',
      resolution: 'import',
      line: at + 1,
      ...more,
    })),
    source,
  };
}

export function skippedBlock(path: string, reason: string): FileBlock {
  return {
    input: { path, size: 7, mtimeNs: 1n, ctimeNs: 1n, ino: 1n, hash: null, language: null, skipped: reason },
    units: [],
    edges: [],
    source: null,
  };
}

export function publish(
  indexDir: string,
  blocks: readonly FileBlock[],
  more: Partial<Omit<PublishRequest, 'indexDir' | 'blocks'>> = {},
): Promise<PublishResult> {
  return publishGeneration({
    indexDir,
    blocks,
    removed: [],
    retention: 3,
    ...more,
    manifest: { reason: 'test', root: '/root', configFingerprint: 'fp', git: null, held: [], ...more.manifest },
  });
}

/** Edges as a segment gives them back: by source in the order of the units, each group as it was. */
export function groupedEdges(block: FileBlock): Edge[] {
  return block.units.flatMap(({ identifier }) => block.edges.filter(({ source }) => source === identifier));
}
