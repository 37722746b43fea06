/** A zombie for as long as a test wants it (Linux): a child that was killed, of a parent that never reaps. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { until } from './until.ts';

export interface Unreaped {
  /** Group leader; a `sleep`, which knows nothing of its children. */
  readonly parent: ChildProcess;
  /** Its children, in the order of their start; the first is a zombie. */
  readonly children: readonly number[];
}

/** Starts a group of one parent and `count` children, and kills the first of these. The caller kills the group. */
export async function unreapedChildren(count: number): Promise<Unreaped> {
  const starts = Array.from({ length: count }, () => 'sleep 60 >/dev/null & echo $!').join('; ');
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  const parent = spawn('sh', ['-c', `${starts}; exec sleep 60 >/dev/null`], { stdio, detached: true });
  const children: number[] = [];
  for await (const line of createInterface({ input: parent.stdout })) children.push(Number(line));
  // a shell could still reap; what it becomes by exec cannot
  await until(() => commandOf(parent.pid ?? 0) === 'sleep', { what: 'the shell has become sleep' });
  const [first = 0] = children;
  process.kill(first, 'SIGKILL');
  await until(() => /\) Z /.test(readFileSync(`/proc/${first}/stat`, 'latin1')), { what: 'the child is a zombie' });
  return { parent, children };
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
}
