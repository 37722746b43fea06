import { join } from 'node:path';
import { atomicWrite, boundedRead, type Pointer, parseObject } from '@woods/protocol';
import type { SourceInput } from '../model.ts';

const NAME = 'touched.json';
const MODE = 0o600;
const MAX_BYTES = 64 * 1024 * 1024;

/** Times and inode of a file whose contents are still the published ones. */
type Touched = readonly [
  path: string,
  size: number,
  mtimeNs: string,
  ctimeNs: string,
  ino: string,
  hash: string | null,
];

/**
 * Files that were touched without a change publish nothing, so their new stamps are kept beside the index until the next
 * publish takes them along: else each start would read them again. A file that cannot be written costs just that.
 */
export function saveTouched(indexDir: string, { token }: Pointer, inputs: Iterable<SourceInput>): void {
  const touched = [...inputs].map(
    ({ path, size, mtimeNs, ctimeNs, ino, hash }): Touched => [path, size, `${mtimeNs}`, `${ctimeNs}`, `${ino}`, hash],
  );
  try {
    atomicWrite(join(indexDir, NAME), JSON.stringify({ token, touched }), { mode: MODE });
  } catch {
    // a full or read-only disk: the next start reads the files again
  }
}

/** Those that were saved for this generation and whose contents are the ones that it has. */
export function loadTouched(
  indexDir: string,
  { token }: Pointer,
  published: ReadonlyMap<string, SourceInput>,
): SourceInput[] {
  const read = boundedRead(join(indexDir, NAME), MAX_BYTES);
  const value = read.ok ? parseObject(read.text) : null;
  if (value === null || value.token !== token || !Array.isArray(value.touched)) return [];
  return value.touched.filter(isTouched).flatMap(([path, size, mtimeNs, ctimeNs, ino, hash]) => {
    const before = published.get(path);
    if (before === undefined || before.hash !== hash) return [];
    return [{ ...before, size, mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(ctimeNs), ino: BigInt(ino) }];
  });
}

function isTouched(value: unknown): value is Touched {
  if (!Array.isArray(value)) return false;
  const [path, size, mtimeNs, ctimeNs, ino, hash] = value;
  const isDigits = (digits: unknown) => typeof digits === 'string' && /^\d+$/.test(digits);
  return (
    typeof path === 'string' &&
    Number.isSafeInteger(size) &&
    [mtimeNs, ctimeNs, ino].every(isDigits) &&
    (hash === null || typeof hash === 'string')
  );
}
