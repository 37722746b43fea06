/** Readers that go away, and commands that are stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { shell, woods } from './support/woods.ts';

let root = '';
beforeAll(async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `export function leaf${at}(): number {\n  return ${at};\n}\n`);
  root = makeProject({ 'src/leaves.ts': many.join('') });
  const { code, stderr } = await woods(['extract'], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});
afterAll(removeProjects);

/** More than a pipe holds. */
const LONG = [
  'woods export --canonical',
  'woods lookup src/leaves.ts',
  'woods search leaf --limit 1000 --type function',
];

describe('a reader that goes away', () => {
  it.each(LONG)('%s | head -1: one line, the usual words, the usual code', async (call) => {
    const { stdout, stderr } = await shell(`{ ${call}; echo "code $?" >&2; } | head -1`, { cwd: root });
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^(woods: the answer is partial.*\n)?woods: this may be stale: .*\ncode 0\n$/);
  });

  it('the code stays 1 where it would have been 1', async () => {
    const { stderr } = await shell(`{ woods lookup nosuch --json; echo "code $?" >&2; } | true`, { cwd: root });
    expect(stderr).toMatch(/code 1\n$/);
  });

  it('a closed stderr hides words, not data', async () => {
    const { code, stdout } = await shell('woods lookup ripeness --no-source 2>&-', { cwd: root });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/tree\.ts#ripeness /);
  });

  it('a closed stdout is no crash', async () => {
    const { stderr } = await shell('woods lookup ripeness >&-', { cwd: root });
    expect(stderr).not.toMatch(/Error|\n {4}at /);
  });

  it('a full disk behind stdout is said', async () => {
    const { code, stderr } = await shell('woods export --canonical > /dev/full', { cwd: root });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/no space left|ENOSPC/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});
