import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setCloseOnExec } from '@woods/posix';
import { describe, expect, it } from 'vitest';

const INDEX = fileURLToPath(new URL('../../packages/posix/dist/index.js', import.meta.url));

/** Node itself sets close-on-exec at its start, but only up to the first number above 15 that is free. */
const BEYOND_NODE = 40;

/** What a grandchild sees of a descriptor that its parent was started with, when the parent first runs `before`. */
function grandchildSees(before: string): string {
  const program = `
    import { spawnSync } from 'node:child_process';
    import { setCloseOnExec } from ${JSON.stringify(INDEX)};
    ${before}
    const look = 'test -e /proc/self/fd/${BEYOND_NODE} && echo open || echo closed';
    process.stdout.write(spawnSync('sh', ['-c', look], { encoding: 'utf8' }).stdout.trim());
  `;
  const fd = openSync('/dev/null', 'r');
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', ...Array(BEYOND_NODE - 3).fill('ignore'), fd];
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', stdio });
  closeSync(fd);
  return stdout;
}

describe.runIf(process.platform === 'linux')('setCloseOnExec', () => {
  it('keeps a descriptor that was open at the start from children', () => {
    expect(grandchildSees('')).toBe('open');
    expect(grandchildSees('setCloseOnExec({ from: 3 });')).toBe('closed');
    expect(grandchildSees('setCloseOnExec({ from: 41 });')).toBe('open');
  });

  it('closes nothing, and counts all that are open', () => {
    const fd = openSync('/dev/null', 'r');
    const open = readdirSync('/proc/self/fd').map(Number);
    // the listing itself is one of them
    expect(setCloseOnExec({ from: 3 })).toBe(open.filter((number) => number >= 3).length - 1);
    expect(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')).toContain('flags:');
    expect(setCloseOnExec({ from: 1_000_000 })).toBe(0);
    closeSync(fd);
  });
});
