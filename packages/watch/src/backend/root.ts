import { statSync } from 'node:fs';

/** Which directory the root's path leads to, as one comparable string; null when to none. */
export function rootIdentity(root: string): string | null {
  try {
    const stat = statSync(root, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : null;
  } catch {
    return null; // whatever keeps us from it, there is nothing to scan
  }
}
