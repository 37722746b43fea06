import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atomicWrite, boundedRead, readWatchStatus } from '@woods/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isTemporaryName } from '../../packages/protocol/src/files/atomic-write.ts';
import { rounds } from '../support/rounds.ts';
import { temporaryDirectory } from './support/directory.ts';

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('atomicWrite', () => {
  it('writes a file of exactly the mode, whatever the umask, and leaves nothing else', () => {
    const directory = temporaryDirectory();
    const before = process.umask(0o077);
    onTestFinished(() => {
      process.umask(before);
    });
    atomicWrite(join(directory, 'a'), 'text', { mode: 0o644 });
    atomicWrite(join(directory, 'b'), new Uint8Array([0, 255]), { mode: 0o600 });
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('text');
    expect([...readFileSync(join(directory, 'b'))]).toEqual([0, 255]);
    expect([modeOf(join(directory, 'a')), modeOf(join(directory, 'b'))]).toEqual([0o644, 0o600]);
    expect(readdirSync(directory).sort()).toEqual(['a', 'b']);
  });

  it('gives a new file, so that who has the old one open keeps it whole', () => {
    const path = join(temporaryDirectory(), 'a');
    atomicWrite(path, 'old', { mode: 0o600 });
    linkSync(path, `${path}.kept`);
    atomicWrite(path, 'new', { mode: 0o600 });
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.kept`, 'utf8')]).toEqual(['new', 'old']);
  });

  it('replaces a link, and not what it leads to', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'victim'), 'untouched');
    symlinkSync(join(directory, 'victim'), join(directory, 'a'));
    atomicWrite(join(directory, 'a'), 'ours', { mode: 0o600 });
    expect(lstatSync(join(directory, 'a')).isFile()).toBe(true);
    expect(readFileSync(join(directory, 'victim'), 'utf8')).toBe('untouched');
  });

  it('throws and leaves the old file and no rest when it cannot replace it', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'a', 'full'), { recursive: true });
    expect(() => atomicWrite(join(directory, 'a'), 'x', { mode: 0o600 })).toThrow();
    expect(() => atomicWrite(join(directory, 'none', 'a'), 'x', { mode: 0o600 })).toThrow(/ENOENT/);
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('names its temporary files so that they can be told', () => {
    expect(isTemporaryName('.watch_status.json.0123456789ab.tmp')).toBe(true);
    for (const name of ['watch_status.json', '.x.tmp', 'x.0123456789ab.tmp', '.x.0123456789AB.tmp']) {
      expect(isTemporaryName(name)).toBe(false);
    }
  });
});

describe('boundedRead', () => {
  it('reads up to the bound and not one byte more', () => {
    const path = join(temporaryDirectory(), 'a');
    writeFileSync(path, 'ä'.repeat(50));
    expect(boundedRead(path, 100)).toEqual({ ok: true, text: 'ä'.repeat(50) });
    expect(boundedRead(path, 99)).toMatchObject({ ok: false, reason: 'too_large' });
    // the size alone is enough to refuse it, before anything is read
    expect(boundedRead(path, 10)).toMatchObject({ detail: 'expected at most 10 bytes, found 100 or more' });
  });

  it('reads what has no size, up to the bound', () => {
    expect(boundedRead('/proc/self/stat', 4096)).toMatchObject({ ok: true, text: expect.stringContaining('(') });
    expect(boundedRead('/proc/self/stat', 10)).toMatchObject({ ok: false, reason: 'too_large' });
  });

  it('says what else lies there, and blocks on nothing', async () => {
    const directory = temporaryDirectory();
    const at = (name: string) => join(directory, name);
    writeFileSync(at('file'), 'x');
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('none'), at('dangling'));
    symlinkSync('/dev/zero', at('device'));
    mkdirSync(at('dir'));
    writeFileSync(at('bytes'), Buffer.from([0xff]));
    const server = createServer().listen(at('socket'));
    onTestFinished(() => {
      server.close();
    });
    await once(server, 'listening');
    const reasonOf = (name: string, links?: 'follow') => {
      const read = boundedRead(at(name), 100, links === undefined ? {} : { links });
      return read.ok ? 'ok' : read.reason;
    };
    expect(reasonOf('none')).toBe('missing');
    expect(reasonOf('file/below')).toBe('missing');
    expect(reasonOf('link')).toBe('link');
    expect(reasonOf('dangling')).toBe('link');
    expect(reasonOf('dir')).toBe('not_a_file');
    expect(reasonOf('socket')).toBe('not_a_file');
    expect(reasonOf('bytes')).toBe('unreadable');
    expect(reasonOf('link', 'follow')).toBe('ok');
    expect(reasonOf('dangling', 'follow')).toBe('missing');
    expect(reasonOf('device', 'follow')).toBe('not_a_file');
  });

  it.skipIf(process.getuid?.() === 0)('says that it may not read', () => {
    const path = join(temporaryDirectory(), 'a');
    writeFileSync(path, 'x');
    chmodSync(path, 0);
    expect(boundedRead(path, 100)).toMatchObject({ ok: false, reason: 'unreadable' });
  });
});

describe('readers under a writer', () => {
  const reads = rounds({ ci: 2_000, soak: 10_000 });

  it(`see ${reads} whole files, and many different ones`, async () => {
    const directory = temporaryDirectory();
    const script = fileURLToPath(new URL('children/rewrite.mjs', import.meta.url));
    const writer = spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => {
      writer.kill('SIGKILL');
    });
    await once(writer.stdout, 'data');
    const seen = new Set<number | null>();
    for (let count = 0; count < reads; count++) {
      const read = readWatchStatus(directory);
      if (read.kind !== 'ok') throw new Error(`read ${count}: ${JSON.stringify(read)}`);
      seen.add(read.value.generation);
      if (count % 20 === 0) await new Promise(setImmediate);
    }
    writer.stdin.end();
    expect(await once(writer, 'exit')).toEqual([0, null]);
    expect(seen.size).toBeGreaterThan(5);
    expect(existsSync(join(directory, 'watch_status.json'))).toBe(true);
    expect(readdirSync(directory)).toEqual(['watch_status.json']);
  });
});
