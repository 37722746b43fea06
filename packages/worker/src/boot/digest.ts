import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * What a file holds, as one comparable string: the SHA-256 of its bytes (through links, since that is what whoever loads it
 * gets), `absent`, or `unreadable`. Never blocks on a FIFO, and reads without holding up the event loop.
 */
export async function digestOf(absolute: string): Promise<string> {
  let file: FileHandle | null = null;
  try {
    file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return 'unreadable';
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  } finally {
    await file?.close();
  }
}
