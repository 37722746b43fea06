import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@woods/protocol';

/** Hashed in one go: a millisecond at most. */
const SMALL_BYTES = 1024 * 1024;
/** Files looked at together; the system calls run in a pool of a few threads anyway. */
const TOGETHER = 16;

/**
 * What a file holds, as one comparable string: the SHA-256 of its bytes (through links, since that is what whoever loads it
 * gets), `absent`, or `unreadable`. Never blocks on a FIFO, and reads without holding up the event loop.
 */
export async function digestOf(absolute: string): Promise<string> {
  let file: FileHandle | null = null;
  try {
    file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return 'unreadable';
    const hash = createHash('sha256');
    if (stat.size <= SMALL_BYTES) return hash.update(await file.readFile()).digest('hex');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  } finally {
    await file?.close();
  }
}

/** The digests of these root-relative files, in their order. */
export async function digestsOf(root: string, paths: readonly string[]): Promise<[path: string, digest: string][]> {
  const digests: [string, string][] = [];
  for (let at = 0; at < paths.length; at += TOGETHER) {
    const some = paths.slice(at, at + TOGETHER);
    const found = await Promise.all(some.map((path) => digestOf(join(root, path))));
    digests.push(...some.map((path, index): [string, string] => [path, found[index] ?? 'absent']));
  }
  return digests;
}
