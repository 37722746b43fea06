import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart, selfIdentity } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markOwner, removeAbandoned } from '../../packages/supervisor/src/attempt/abandoned-sockets.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'woods-sockets-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** A directory as a supervisor leaves it, made by `owner`. */
function left(name: string, owner: { pid: number; start: string | null }): string {
  const directory = join(place, name);
  mkdirSync(directory, { mode: 0o700 });
  markOwner(directory, owner);
  writeFileSync(join(directory, '1'), '');
  return directory;
}

async function deadProcess(): Promise<{ pid: number; start: string | null }> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const owner = { pid: child.pid ?? 0, start: processStart(child.pid ?? 0) };
  child.kill('SIGKILL');
  await once(child, 'exit');
  return owner;
}

describe.runIf(process.platform === 'linux')('the sockets of a supervisor', () => {
  it('that was killed with its guardian go', async () => {
    const directory = left('events-a', await deadProcess());
    removeAbandoned(place, 'events-');
    expect(existsSync(directory)).toBe(false);
  });

  it('go when its pid is another process now', () => {
    const directory = left('events-a', { ...selfIdentity(), start: 'another-boot:1' });
    removeAbandoned(place, 'events-');
    expect(existsSync(directory)).toBe(false);
  });

  it('stay while it lives, and where nothing is proven', async () => {
    const dead = await deadProcess();
    const kept = [
      left('events-live', selfIdentity()),
      left('events-unknown-start', { ...dead, start: null }),
      left('other-a', dead),
    ];
    const open = left('events-open-to-others', dead);
    chmodSync(open, 0o755);
    const elsewhere = join(place, 'events-elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(join(elsewhere, 'owner'), `${dead.pid} ${dead.start} pid:[1]\n`);
    const unmarked = join(place, 'events-unmarked');
    mkdirSync(unmarked, { mode: 0o700 });
    const junk = join(place, 'events-junk');
    mkdirSync(junk, { mode: 0o700 });
    writeFileSync(join(junk, 'owner'), 'x'.repeat(1_000));
    symlinkSync(left('target', dead), join(place, 'events-link'));
    removeAbandoned(place, 'events-');
    const paths = [...kept, open, elsewhere, unmarked, junk, join(place, 'target')];
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('are no fault when the place is not there', () => {
    expect(() => removeAbandoned(join(place, 'missing'), 'events-')).not.toThrow();
    expect(() => markOwner(join(place, 'missing'), selfIdentity())).not.toThrow();
  });
});
