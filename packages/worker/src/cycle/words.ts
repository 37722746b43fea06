/** What the daemon says to a person. */
import type { VerifyReason } from './plan.ts';

export function whyVerify(reason: VerifyReason, count: number): string {
  switch (reason) {
    case 'storm':
      return `storm: ${count} files changed at once; comparing the whole tree`;
    case 'overflow':
      return 'events were lost; comparing the whole tree';
    case 'rescan':
      return 'the ignore rules changed; comparing the whole tree';
    case 'moved':
      return 'the index was published or removed by another; comparing the whole tree';
    case 'pending':
    case 'catch_up':
      return 'comparing the whole tree';
  }
}

/** The first three by name, the others by number. */
export function named(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `${paths.slice(0, 3).join(', ')}${more}`;
}

export function files(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

/** The first line of what was thrown. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.split('\n', 1)[0] ?? '';
}
