import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn } from './support/json.ts';
import { indexOf } from './support/status.ts';
import { woods } from './support/woods.ts';

let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(removeProjects);

const token = 'ab'.repeat(32);
const claim = () => join(indexOf(root), 'watch_claim.json');
const recover = (...args: string[]) => inProcess(['watch-recover', '--token', ...args], { cwd: root });

/** As a worker in a container that is gone leaves it: another host, and a lease that is not this one. */
function abandon(): void {
  mkdirSync(indexOf(root), { recursive: true });
  const named = { pid: 7, host: 'gone-container', token, lease_version: 1, lease_device: 1, lease_inode: 2 };
  writeFileSync(claim(), JSON.stringify(named));
}

describe('woods watch-recover', () => {
  it('does what the refused worker says, and the next one starts', { timeout: 60_000 }, async () => {
    abandon();
    const refused = await woods(['watch', '--once'], { cwd: root });
    expect(refused.code).toBe(0);
    const named = /npx woods (watch-recover --token [0-9a-f]{64})$/m.exec(refused.stderr)?.[1]?.split(' ') ?? [];
    expect(named).toEqual(['watch-recover', '--token', token]);
    const { code, stdout } = await inProcess(named, { cwd: root });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'removed the claim of process 7 on gone-container; a worker can start now\n',
    });
    expect((await woods(['watch', '--once'], { cwd: root })).stderr).toMatch(/generation 1/);
  });

  it('keeps a claim with another token', async () => {
    abandon();
    const { code, stdout, stderr } = await recover('cd'.repeat(32), '--json');
    expect(code).toBe(1);
    expect(objectOn(stdout)).toMatchObject({ error: { code: 'locked' } });
    expect(stderr).toMatch(/the claim in .* stays: the claim of process 7 on gone-container has another token/);
    expect(existsSync(claim())).toBe(true);
  });

  it('says that there is nothing to recover', async () => {
    expect((await recover(token)).stdout).toMatch(/^no worker has claimed the index in /);
    expect(existsSync(indexOf(root))).toBe(false);
  });
});
