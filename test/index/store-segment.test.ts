import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileBlock } from '../../packages/index/src/model.ts';
import { blockOfFile, segmentFileOfBlock } from '../../packages/index/src/store/segment/block.ts';
import { COLUMN_NAMES } from '../../packages/index/src/store/segment/columns.ts';
import { encodeSegment } from '../../packages/index/src/store/segment/encode.ts';
import { bodyRangeOf } from '../../packages/index/src/store/segment/rows.ts';
import {
  fileOfUnit,
  findFile,
  findString,
  findUnitInFile,
  identifierOf,
  openSegment,
  pathOf,
  stringAt,
} from '../../packages/index/src/store/segment/segment.ts';
import { findStructureFault } from '../../packages/index/src/store/segment/structure.ts';
import { fileBlock, groupedEdges, skippedBlock } from './support/store-blocks.ts';

const encode = (blocks: readonly FileBlock[], tombstones: string[] = []) =>
  encodeSegment({ files: blocks.map(segmentFileOfBlock), tombstones }).bytes;
const open = (bytes: Uint8Array) => openSegment(new Uint8Array(bytes).buffer, 'test');

const word = fc.stringMatching(/^[a-zA-Z_$éλ🌲][a-z0-9é🌲]{0,6}$/u);
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const blocks: fc.Arbitrary<FileBlock[]> = fc
  .uniqueArray(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    { maxLength: 8 },
  )
  .chain((paths) => fc.tuple(...paths.map((path) => blockAt(path, paths))));

function blockAt(path: string, paths: readonly string[]): fc.Arbitrary<FileBlock> {
  const shape = fc.record({
    units: fc.uniqueArray(word, { maxLength: 5 }),
    version: fc.nat(9),
    source: text,
    skipped: fc.option(text),
    targets: fc.array(fc.tuple(fc.nat(5), fc.nat(99), fc.nat(1e6)), { maxLength: 6 }),
  });
  return shape.map(({ units, version, source, skipped, targets }) => {
    const ends = [...paths, `${path}#${units[0]}`, 'else/where#unit'];
    return fileBlock(path, {
      units,
      version,
      source,
      input: { skipped },
      edges: targets.map(([from, to, line]) => [
        [null, ...units][from % (units.length + 1)] ?? null,
        ends[to % ends.length] ?? path,
        { line },
      ]),
    });
  });
}

describe('a segment', () => {
  it('gives back every block that was put in, whatever its strings hold', () => {
    fc.assert(
      fc.property(blocks, fc.array(word), (given, tombstones) => {
        const segment = open(encode(given, tombstones));
        expect(findStructureFault(segment.header, segment.columns)).toBeNull();
        expect(segment.header.counts.file).toBe(given.length);
        expect([...segment.tombstones].sort()).toEqual([...new Set(tombstones)].sort());
        for (const block of given) {
          const file = findFile(segment, Buffer.from(block.input.path));
          const { source, ...rest } = block;
          expect(blockOfFile(segment, file)).toEqual({ ...rest, edges: groupedEdges(block) });
          expect(bodyRangeOf(segment, file)?.bytes).toBe(Buffer.byteLength(source ?? ''));
        }
      }),
    );
  });

  it('finds units by identifier and file, and none that is not there', () => {
    const given = [
      fileBlock('b/two.ts', { units: ['x', 'y'] }),
      fileBlock('a/one.ts', { units: ['x'] }),
      skippedBlock('c', 'binary'),
    ];
    const segment = open(encode(given));
    const file = findFile(segment, Buffer.from('b/two.ts'));
    expect(pathOf(segment, file)).toBe('b/two.ts');
    const unit = findUnitInFile(segment, file, 'y');
    expect(identifierOf(segment, unit)).toBe('b/two.ts#y');
    expect(fileOfUnit(segment, unit)).toBe(file);
    expect(findUnitInFile(segment, file, 'z')).toBe(-1);
    expect(findFile(segment, Buffer.from('b/two'))).toBe(-1);
    expect(stringAt(segment, findString(segment, Buffer.from('b/two.ts')))).toBe('b/two.ts');
    expect(findString(segment, Buffer.from('nowhere'))).toBe(-1);
  });

  it('keeps null, empty and zero apart', () => {
    const block = fileBlock('a', { source: '', units: ['u'] });
    const changed: FileBlock = {
      ...block,
      input: { ...block.input, language: '', hash: null, skipped: '' },
      units: block.units.map((unit) => ({ ...unit, doc: '', namespace: '' })),
    };
    const back = blockOfFile(open(encode([changed])), 0);
    expect(back.input).toEqual(changed.input);
    expect(back.units).toEqual(changed.units);
    expect(bodyRangeOf(open(encode([changed])), 0)).toEqual({ offset: 0, bytes: 0 });
    expect(bodyRangeOf(open(encode([skippedBlock('a', 'x')])), 0)).toBeNull();
  });

  it('is the same bytes for the same blocks in any order, files by the bytes of their paths', () => {
    const some = [fileBlock('z'), fileBlock('\uffee'), fileBlock('🌲'), fileBlock('a', { units: ['q'] })];
    const segment = open(encode(some));
    const paths = Array.from({ length: segment.header.counts.file }, (_, file) => pathOf(segment, file));
    // As UTF-16 the tree would stand before U+FFEE.
    expect(paths).toEqual(['a', 'z', '\uffee', '🌲']);
    expect(Buffer.compare(encode(some), encode([...some].reverse()))).toBe(0);
  });

  it.each([
    ['two units of one identifier', fileBlock('a', { units: ['x', 'x'] }), /two units are called a#x/],
    ['a unit of another file', { ...fileBlock('a'), units: fileBlock('b').units }, /not named after its file a/],
    [
      'an edge from another file',
      { ...fileBlock('a'), edges: fileBlock('b', { edges: [[null, 'a']] }).edges },
      /comes from b/,
    ],
    ['a size that is none', fileBlock('a', { input: { size: 1.5 } }), /size in bytes, found 1.5/],
    ['a hash that is none', fileBlock('a', { input: { hash: 'abc' } }), /64 hex digits, found abc/],
    ['a line that is none', fileBlock('a', { edges: [[null, 'a', { line: -1 }]] }), /found -1/],
  ])('refuses %s', (_, block, message) => {
    expect(() => encode([block])).toThrow(message);
  });

  it('refuses two blocks for one path', () => {
    expect(() => encode([fileBlock('a'), fileBlock('a')])).toThrow(/two blocks for the file a/);
  });
});

describe('a damaged segment', () => {
  const whole = encode([fileBlock('a.ts', { units: ['x'], edges: [[null, 'a.ts#x']] }), fileBlock('b.ts')]);

  it('is refused whichever byte was changed', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = new Uint8Array(whole);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => open(bytes)).toThrow(expect.objectContaining({ code: 'corrupt_artifact' }));
      }),
      { numRuns: 500 },
    );
  });

  it('is refused whichever length it has', () => {
    for (let length = 0; length < whole.length; length += 7) {
      expect(() => open(whole.subarray(0, length))).toThrow(expect.objectContaining({ code: 'corrupt_artifact' }));
    }
    expect(() => open(Buffer.concat([whole, Buffer.from([0])]))).toThrow(/checksum/);
  });

  const references = COLUMN_NAMES.filter((name) =>
    /_(path|language|skipped|type|qualified|name|namespace|signature|doc|target|via|resolution)$/.test(name),
  );
  const offsets = ['string_offset', 'file_unit', 'unit_extra', 'unit_edge'] as const;

  it.each(references)('fails validation when %s points nowhere, though its checksum is right', (name) => {
    const { header, columns } = open(whole);
    const column = columns[name];
    if (column instanceof BigInt64Array || column instanceof BigUint64Array)
      throw new Error('no reference is that large');
    column.fill(column instanceof Uint8Array ? 200 : 2_000_000_000);
    expect(findStructureFault(header, columns)).toMatch(name === 'edge_target' ? /edge 0 has a target/ : name);
  });

  it.each(offsets)('fails validation when %s falls or ends elsewhere', (name) => {
    const falling = open(whole);
    falling.columns[name][1] = 2_000_000_000;
    expect(findStructureFault(falling.header, falling.columns)).toContain(`${name} falls`);
    const short = open(whole);
    short.columns[name][short.columns[name].length - 1] = 2_000_000_000;
    expect(findStructureFault(short.header, short.columns)).toContain(`${name} goes from 0 to 2000000000`);
  });

  it('fails validation when its paths are out of order', () => {
    const { header, columns } = open(whole);
    columns.file_path.reverse();
    expect(findStructureFault(header, columns)).toMatch(/file 1 does not come after/);
  });
});

describe('columns that a reader does not know', () => {
  it('are ignored, and a missing known one is refused', () => {
    const bytes = Buffer.from(encode([fileBlock('a')]));
    // A name of the same length can be swapped in place.
    const renamed = Buffer.from(bytes.toString('latin1').replace('"unit_doc"', '"unit_new"'), 'latin1');
    expect(() => open(resealed(renamed))).toThrow(/expected a column unit_doc/);
    expect(pathOf(open(resealed(withExtraColumn(bytes))), 0)).toBe('a');
  });

  it('are not guessed from another version', () => {
    const bytes = Buffer.from(encode([fileBlock('a')]));
    bytes[7] = 2;
    expect(() => open(bytes)).toThrow(/expected format 1, found 2/);
  });
});

/** With the checksum that its content has now. */
function resealed(bytes: Buffer): Buffer {
  const out = Buffer.from(bytes);
  out.writeUInt32LE(crc32(out.subarray(16)), 12);
  return out;
}

function withExtraColumn(bytes: Buffer): Buffer {
  const headerBytes = bytes.readUInt32LE(8);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + headerBytes));
  const columns = bytes.subarray(Math.ceil((16 + headerBytes) / 8) * 8);
  const padded = Buffer.concat([columns, Buffer.alloc((8 - (columns.length % 8)) % 8)]);
  header.columns.push({ name: 'unit_rank', type: 'f16', offset: padded.length, bytes: 2 });
  const text = Buffer.from(JSON.stringify(header));
  const out = Buffer.alloc(Math.ceil((16 + text.length) / 8) * 8 + padded.length + 2);
  bytes.copy(out, 0, 0, 16);
  out.writeUInt32LE(text.length, 8);
  text.copy(out, 16);
  padded.copy(out, out.length - padded.length - 2);
  return out;
}
