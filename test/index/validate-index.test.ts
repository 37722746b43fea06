import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileBlock } from '../../packages/index/src/model.ts';
import { openReader } from '../../packages/index/src/read/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

let indexDir = '';

beforeEach(() => {
  indexDir = temporaryIndexDir();
});
afterEach(removeIndexDirs);

const findings = () => validateIndex(indexDir).findings;
const manifestPath = () => join(indexDir, 'payloads/gen-1/manifest.json');
const segmentName = () => openReader(indexDir).manifest().segments[0]?.name ?? '';

function changeManifest(from: string | RegExp, to: string): void {
  const text = readFileSync(manifestPath(), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(manifestPath(), changed);
}

const whole = () => [
  fileBlock('a.ts', { units: ['x'], edges: [['x', 'b.ts#y']] }),
  fileBlock('b.ts', { units: ['y'], edges: [[null, 'a.ts']] }),
];

describe('a generation that is whole', () => {
  it('has no findings', async () => {
    await publish(indexDir, whole());
    await publish(indexDir, [fileBlock('c.ts', { edges: [[null, 'a.ts#x']] })]);
    await publish(indexDir, [], { removed: ['c.ts'] });
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 3 });
  });

  it('may be empty', async () => {
    await publish(indexDir, []);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 1 });
  });
});

describe('what a linker got wrong is found', () => {
  it('an edge to nowhere, also one that lost its end to a later publish', async () => {
    await publish(indexDir, [fileBlock('a.ts', { edges: [[null, 'gone.ts#z']] }), ...whole().slice(1)]);
    expect(findings()).toEqual(['a.ts: its call edge goes to gone.ts#z, which is no unit']);
    await publish(indexDir, whole());
    await publish(indexDir, [fileBlock('b.ts', { units: ['other'] })]);
    expect(findings()).toEqual(['a.ts#x: its call edge goes to b.ts#y, which is no unit']);
    await publish(indexDir, [], { removed: ['b.ts'] });
    expect(findings()).toEqual(['a.ts#x: its call edge goes to b.ts#y, which is no unit']);
  });

  it('two units of one identifier, which two files can make together', async () => {
    const odd = fileBlock('a#b');
    await publish(indexDir, [fileBlock('a', { units: ['b'] })]);
    await publish(indexDir, [odd]);
    expect(findings()).toEqual(['a#b: two units have this identifier']);
  });

  it.each([
    ['ends before it begins', { start: 5, end: 4, startLine: 1, endLine: 1 }, /span 5-4 is not inside/],
    [
      'ends behind its file',
      { start: 0, end: 999, startLine: 1, endLine: 1 },
      /span 0-999 is not inside its file of \d+ bytes/,
    ],
    ['has no first line', { start: 0, end: 1, startLine: 0, endLine: 1 }, /lines are 0-1/],
    ['has lines that fall', { start: 0, end: 1, startLine: 3, endLine: 2 }, /lines are 3-2/],
  ])('a span that %s', async (_, span, message) => {
    const block = fileBlock('a.ts');
    const changed: FileBlock = { ...block, units: block.units.map((unit) => ({ ...unit, span })) };
    await publish(indexDir, [changed]);
    expect(findings()).toEqual([expect.stringMatching(message)]);
  });

  it('a text of another length than its file', async () => {
    await publish(indexDir, [fileBlock('a.ts', { input: { size: 1_000 } })]);
    expect(findings()).toEqual([expect.stringMatching(/a.ts: its text has \d+ bytes, the file had 1000/)]);
  });

  it('more than anyone reads is counted', async () => {
    const edges = Array.from({ length: 600 }, (_, at) => [null, `gone${at}`] as const);
    await publish(indexDir, [fileBlock('a.ts', { edges })]);
    expect(findings()).toHaveLength(501);
    expect(findings().at(-1)).toBe('and 100 more');
  });
});

describe('what a disk or a person got wrong is found', () => {
  beforeEach(async () => {
    await publish(indexDir, whole());
  });

  it.each([
    ['no index', () => rmSync(indexDir, { recursive: true }), /no published index/, null],
    ['a pointer that is none', () => writeFileSync(join(indexDir, 'generation.json'), '[]'), /generation.json/, null],
    ['no payload', () => rmSync(join(indexDir, 'payloads'), { recursive: true }), /gone/, 1],
    ['no manifest', () => unlinkSync(manifestPath()), /manifest.json/, 1],
    ['another generation', () => changeManifest('"generation": 1', '"generation": 2'), /its manifest says 2/, 1],
    [
      'other counts',
      () => changeManifest('"module": 2', '"module": 3'),
      /counts 3 units of type module, there are 2/,
      1,
    ],
    ['another total', () => changeManifest('"edges": 2', '"edges": 9'), /says edges 9, there are 2/, 1],
    ['another hash', () => changeManifest(/"sha256": "..../, '"sha256": "0000'), /seg: its SHA-256 is not/, 1],
    [
      'another hash of texts',
      () => changeManifest(/"bodies_sha256": "..../, '"bodies_sha256": "0000'),
      /bodies: its SHA-256/,
      1,
    ],
    [
      'no texts',
      () => unlinkSync(join(indexDir, 'payloads/gen-1', `${segmentName()}.bodies`)),
      /bodies: it is gone/,
      1,
    ],
    [
      'texts cut short',
      () => truncateSync(join(indexDir, 'payloads/gen-1', `${segmentName()}.bodies`), 5),
      /expected \d+ bytes, found 5/,
      1,
    ],
    ['no segment', () => unlinkSync(join(indexDir, 'payloads/gen-1', `${segmentName()}.seg`)), /seg: it is gone/, 1],
  ] as const)('%s', (_, damage, message, generation) => {
    damage();
    const validation = validateIndex(indexDir);
    expect(validation.findings).toEqual([expect.stringMatching(message)]);
    expect(validation.generation).toBe(generation);
  });

  it('a segment with other rows that a manifest was made to fit', async () => {
    const other = temporaryIndexDir();
    await publish(other, [fileBlock('z.ts')]);
    const [segment] = openReader(other).manifest().segments;
    const from = join(other, 'payloads/gen-1', `${segment?.name}.seg`);
    const sha256 = createHash('sha256').update(readFileSync(from)).digest('hex');
    const to = join(indexDir, 'payloads/gen-1', `${segmentName()}.seg`);
    renameSync(from, to);
    changeManifest(/"bytes": \d+/, `"bytes": ${segment?.bytes}`);
    changeManifest(/"sha256": "[0-9a-f]+"/, `"sha256": "${sha256}"`);
    expect(findings()).toContain('the manifest says files 2, there are 1');
  });

  it('any changed byte of any file of the payload, without a crash', () => {
    const names = ['manifest.json', `${segmentName()}.seg`, `${segmentName()}.bodies`];
    const bytesOf = new Map(names.map((name) => [name, readFileSync(join(indexDir, 'payloads/gen-1', name))]));
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, change) => {
        const path = join(indexDir, 'payloads/gen-1', name);
        const original = bytesOf.get(name) ?? Buffer.alloc(0);
        const bytes = Buffer.from(original);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        writeFileSync(path, bytes);
        try {
          const { findings: found } = validateIndex(indexDir);
          // White space and words for people in a manifest say nothing that could be wrong.
          if (name !== 'manifest.json') expect(found).not.toEqual([]);
          expectAnswersOrCorrupt();
        } finally {
          writeFileSync(path, original);
        }
      }),
      { numRuns: 150 },
    );
    expect(findings()).toEqual([]);
  });

  function expectAnswersOrCorrupt(): void {
    const reader = openReader(indexDir);
    try {
      expect(reader.lookup('x').kind).toBe('found');
      reader.source('a.ts#x');
      reader.search({ pattern: 'x', fields: ['name', 'source'] });
      reader.dependents('b.ts#y');
    } catch (error) {
      expect(error).toMatchObject({ code: 'corrupt_artifact' });
    }
  }
});
