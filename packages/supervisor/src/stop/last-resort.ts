import { HAS_PROC } from './processes.ts';

/**
 * Where there is no /proc, `ps` is asked for the descendants of a leader that did not end in time, and they are killed.
 * Best effort: descendants whose parent has ended are not found. With /proc there is nothing to do here.
 */
export async function killDescendants(pid: number): Promise<void> {
  if (HAS_PROC) return;
  const { default: treeKill } = await import('tree-kill');
  await new Promise<void>((resolve) => treeKill(pid, 'SIGKILL', () => resolve()));
}
