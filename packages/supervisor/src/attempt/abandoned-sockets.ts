/** Socket directories of supervisors that were killed together with their guardian. */
import { lstatSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundedRead, probeProcess } from '@woods/protocol';

/** Beside the sockets: whose they are. A pid means something only where pids are counted alike. */
const OWNER = 'owner';
const MAX_OWNER_BYTES = 200;
/** `/tmp` belongs to everybody; more than these are left to the next start. */
const MAX_LOOKED_AT = 256;

interface Self {
  readonly pid: number;
  /** Null where the system does not tell it: then nothing is ever proven about us. */
  readonly start: string | null;
}

/** Writes down who made `directory`. Never throws: without it the directory is only left behind. */
export function markOwner(directory: string, self: Self): void {
  try {
    writeFileSync(join(directory, OWNER), ownerLine(self), { mode: 0o600, flag: 'wx' });
  } catch {
    // a full /tmp: the sockets will say so
  }
}

/**
 * Removes the directories in `place` with this prefix whose owner is dead for certain: ours by user and mode, and named
 * by a process of our pid namespace that does not exist any more. Never throws.
 */
export function removeAbandoned(place: string, prefix: string): void {
  const namespace = pidNamespace();
  if (namespace === null) return;
  for (const name of namesIn(place, prefix)) {
    const directory = join(place, name);
    try {
      const stat = lstatSync(directory);
      if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o777) !== 0o700) continue;
      if (isDead(boundedRead(join(directory, OWNER), MAX_OWNER_BYTES), namespace)) {
        rmSync(directory, { recursive: true, force: true });
      }
    } catch {
      // it is going away by itself, or is not ours to touch
    }
  }
}

function isDead(read: ReturnType<typeof boundedRead>, namespace: string): boolean {
  if (!read.ok) return false;
  const [pid = '', start = '', where = ''] = read.text.trimEnd().split(' ');
  if (!/^\d+$/.test(pid) || start === '' || where !== namespace) return false;
  return probeProcess(Number(pid))?.start !== start;
}

function ownerLine({ pid, start }: Self): string {
  return `${pid} ${start ?? ''} ${pidNamespace() ?? ''}\n`;
}

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function namesIn(place: string, prefix: string): string[] {
  try {
    return readdirSync(place)
      .filter((name) => name.startsWith(prefix))
      .slice(0, MAX_LOOKED_AT);
  } catch {
    return [];
  }
}
