/** A disk that fails in the middle: the n-th call that changes something throws, as the system would. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGES = [
  'mkdirSync',
  'openSync',
  'writeSync',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'writeFileSync',
] as const;

/** Runs `action` and says whether it came as far as the call that fails. Only its synchronous part is affected. */
export async function withFailingChange<T>(
  number: number,
  code: string,
  action: () => Promise<T>,
): Promise<{ failed: boolean; result: PromiseSettledResult<T> }> {
  const originals = new Map<string, unknown>();
  const table: Record<string, unknown> = fs as unknown as Record<string, unknown>;
  let count = 0;
  for (const name of CHANGES) {
    const original = table[name] as (...given: unknown[]) => unknown;
    originals.set(name, original);
    table[name] = (...given: unknown[]) => {
      count += 1;
      if (count === number) throw Object.assign(new Error(`${code}: ${name}`), { code });
      return original(...given);
    };
  }
  syncBuiltinESMExports();
  let promise: Promise<T>;
  try {
    promise = action();
  } finally {
    for (const [name, original] of originals) table[name] = original;
    syncBuiltinESMExports();
  }
  const [result] = await Promise.allSettled([promise]);
  return { failed: count >= number, result };
}
