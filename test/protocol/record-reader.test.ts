import { PassThrough, Readable } from 'node:stream';
import { createFloodMeter, encodeRecord, openRecordReader } from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import { createLineGate } from '../../packages/protocol/src/channel/line-gate.ts';
import { envelope, GOOD } from './support/attempt.ts';
import { receive, receiveFrom } from './support/channel.ts';

const GOOD_LINE = `${JSON.stringify(GOOD.backend_ready)}\n`;

/** A line of exactly `bytes` bytes, newline included. */
function lineOf(bytes: number): string {
  return `{"pad":"${'x'.repeat(bytes - 11)}"}\n`;
}

describe('the framing of a channel', () => {
  it('delivers lines in order, whatever stands between the records of one', async () => {
    const text = `${GOOD_LINE}  {"a":1}\r\n{"b":[{}]}\n`;
    expect(await receive([Buffer.from(text)])).toEqual({
      values: [GOOD.backend_ready, { a: 1 }, { b: [{}] }],
      refusal: null,
    });
  });

  it('ends well without a single record', async () => {
    expect(await receive([])).toEqual({ values: [], refusal: null });
  });

  it('takes 4,096 bytes with the newline and not one more', async () => {
    expect((await receive([Buffer.from(lineOf(4096))])).refusal).toBeNull();
    expect((await receive([Buffer.from(lineOf(4097))])).refusal).toMatchObject({ reason: 'line_too_long' });
    const halves = [Buffer.from(lineOf(4096).slice(0, 2000)), Buffer.from(lineOf(4096).slice(2000))];
    expect((await receive(halves)).refusal).toBeNull();
  });

  it('counts bytes, not characters', async () => {
    const umlauts = `{"pad":"${'ä'.repeat(2043)}"}\n`;
    expect(Buffer.byteLength(umlauts)).toBe(4097);
    expect((await receive([Buffer.from(umlauts)])).refusal).toMatchObject({ reason: 'line_too_long' });
  });

  it.each([
    ['empty_line', '\n'],
    ['empty_line', '\r\n'],
    ['empty_line', ' \n'],
    ['not_an_object', 'null\n'],
    ['not_an_object', '0\n'],
    ['not_an_object', 'true\n'],
    ['not_an_object', '"{}"\n'],
    ['not_an_object', '[{}]\n'],
    ['not_an_object', '\ufeff{}\n'],
    ['not_an_object', 'Listening on port 3000\n'],
    ['not_json', '{"a":1}{"b":2}\n'],
    ['not_json', '{"a":1\n'],
    ['not_json', "{'a':1}\n"],
    ['not_json', '{"a":NaN}\n'],
    ['truncated_line', '{"a":1}'],
    ['truncated_line', '{'],
  ])('refuses %s: %j, after what came before and before what comes after', async (reason, bad) => {
    const after = reason === 'truncated_line' ? '' : GOOD_LINE;
    const received = await receive([Buffer.from(`${GOOD_LINE}${bad}${after}`)]);
    expect(received.values).toEqual([GOOD.backend_ready]);
    expect(received.refusal).toMatchObject({ reason, detail: expect.stringMatching(/^expected .+, found .+$/) });
  });

  it('refuses bytes that are not UTF-8, also where they are cut in the middle', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}\n')]);
      expect((await receive([line])).refusal).toMatchObject({ reason: 'invalid_encoding' });
    }
    const emoji = Buffer.from('{"a":"🌲"}\n');
    const bytewise = [...emoji].map((byte) => Buffer.from([byte]));
    expect(await receive(bytewise)).toEqual({ values: [{ a: '🌲' }], refusal: null });
  });

  it('keeps control characters of a bad line off the terminal', async () => {
    const { refusal } = await receive([Buffer.from('\u001b[2J\u009b\n')]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(refusal?.detail).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it('takes an object whose names are those of every object', async () => {
    const { values } = await receive([Buffer.from('{"__proto__":{"polluted":1},"constructor":2}\n')]);
    expect(JSON.stringify(values)).toBe('[{"__proto__":{"polluted":1},"constructor":2}]');
    expect(Object.hasOwn({}, 'polluted')).toBe(false);
  });

  it('says nothing after it was closed, not even the rest of the same chunk', async () => {
    const stream = new PassThrough();
    const values: unknown[] = [];
    const reader = openRecordReader(stream, {
      onValue: (value) => {
        values.push(value);
        reader.close();
      },
      onRefused: () => values.push('refused'),
      onEnd: () => values.push('ended'),
    });
    stream.end(`${GOOD_LINE}${GOOD_LINE}\n`);
    await new Promise((resolve) => stream.once('close', resolve).resume());
    expect(values).toEqual([GOOD.backend_ready]);
  });

  it('reads a stream that was paused until now', async () => {
    const stream = new PassThrough().pause();
    stream.end(GOOD_LINE);
    expect((await receiveFrom(stream)).values).toEqual([GOOD.backend_ready]);
  });

  it('is not disturbed by a stream that breaks after it was refused', async () => {
    const stream = new PassThrough();
    const received = receiveFrom(stream);
    stream.write('\n');
    expect((await received).refusal).toMatchObject({ reason: 'empty_line' });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    // without a listener this would end the process
    stream.destroy(new Error('ECONNRESET'));
    await closed;
  });

  it('takes a broken stream for an ended one', async () => {
    const stream = new PassThrough();
    const received = receiveFrom(stream);
    stream.write(GOOD_LINE);
    stream.destroy(new Error('ECONNRESET'));
    expect((await received).refusal).toBeNull();
    const cut = new PassThrough();
    const half = receiveFrom(cut);
    cut.write('{"a":', () => cut.destroy(new Error('ECONNRESET')));
    expect((await half).refusal).toMatchObject({ reason: 'truncated_line' });
  });
});

describe('10 MB without a newline', () => {
  it('are refused at the first 4,096 bytes and never read to the end', async () => {
    let produced = 0;
    const stream = new Readable({
      read() {
        produced += 65_536;
        this.push(produced > 10_000_000 ? null : Buffer.alloc(65_536, 'x'));
      },
    });
    const { refusal } = await receiveFrom(stream);
    expect(refusal).toMatchObject({ reason: 'line_too_long' });
    await new Promise(setImmediate);
    expect(produced).toBeLessThanOrEqual(3 * 65_536);
    expect(stream.isPaused()).toBe(true);
    stream.destroy();
  });

  it('are never held, however small the pieces: one buffer of 4,096 bytes is', () => {
    const gate = createLineGate(4096);
    const chunk = Buffer.alloc(65_536, 'x');
    const none = () => null;
    gate.push(chunk.subarray(0, 1), none);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 1; count < 4095; count++) {
      expect(gate.push(chunk.subarray(count, count + 1), none)).toBeNull();
    }
    // 4,095 slices of a 64 KiB chunk: kept alive one by one, chunks of a pipe would be 256 MB
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(4096);
    expect(gate.push(chunk.subarray(0, 1), none)).toMatchObject({ reason: 'line_too_long' });
  });
});

describe('a flood', () => {
  const thousand = Buffer.from(GOOD_LINE.repeat(1000));

  it('begins with the 1,001st record of a channel', async () => {
    const now = () => 0;
    expect(await receive([thousand], { now })).toMatchObject({ refusal: null });
    const received = await receive([thousand, Buffer.from(GOOD_LINE)], { now });
    expect(received.values).toHaveLength(1000);
    expect(received.refusal).toMatchObject({ reason: 'record_flood' });
  });

  it('is judged over any ten seconds, not over fixed ones', () => {
    let time = 9_000;
    const meter = createFloodMeter({ now: () => time });
    const admitted = (count: number) => Array.from({ length: count }, () => meter.admit()).filter(Boolean).length;
    expect(admitted(600)).toBe(600);
    time = 11_000;
    expect(admitted(600)).toBe(400);
    time = 18_999;
    expect(admitted(1)).toBe(0);
    time = 19_000;
    expect(admitted(601)).toBe(600);
    time = 21_000;
    expect(admitted(401)).toBe(400);
  });

  it('is counted over all channels of a child that share a meter', async () => {
    const meter = createFloodMeter({ now: () => 0 });
    expect((await receive([thousand], { meter })).refusal).toBeNull();
    expect((await receive([Buffer.from(GOOD_LINE)], { meter })).refusal).toMatchObject({ reason: 'record_flood' });
  });
});

describe('encodeRecord', () => {
  it('writes one line that the reader takes', async () => {
    const line = encodeRecord(envelope, { event: 'task_loaded', woods_version: '2.0.0' });
    expect(line.endsWith('\n')).toBe(true);
    expect(await receive([Buffer.from(line)])).toEqual({ values: [GOOD.task_loaded], refusal: null });
  });

  it('keeps a path with a line break in one line', async () => {
    const line = encodeRecord(envelope, { event: 'identity', root: '/a\nb', index: '/a\u2028b' });
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect((await receive([Buffer.from(line)])).values).toMatchObject([{ root: '/a\nb', index: '/a\u2028b' }]);
  });

  it('throws rather than write what every reader refuses', () => {
    const long = { event: 'identity', root: `/${'ä'.repeat(1900)}`, index: '/i' } as const;
    expect(Buffer.byteLength(encodeRecord(envelope, long))).toBeLessThanOrEqual(4096);
    expect(() => encodeRecord(envelope, { ...long, index: `/${'i'.repeat(300)}` })).toThrow(RangeError);
  });
});
