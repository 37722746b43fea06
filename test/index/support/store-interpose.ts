/** Another process that acts at the worst moment: between two system calls of the code under test. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Runs `action`; `interpose` is called once, just before or after the first file whose path matches is opened. */
export function whenOpened<T>(moment: 'before' | 'after', path: RegExp, interpose: () => void, action: () => T): T {
  const original = fs.openSync;
  const restore = () => {
    fs.openSync = original;
    syncBuiltinESMExports();
  };
  fs.openSync = (...given: Parameters<typeof original>) => {
    if (!path.test(String(given[0]))) return original(...given);
    restore();
    if (moment === 'before') interpose();
    const fd = original(...given);
    if (moment === 'after') interpose();
    return fd;
  };
  syncBuiltinESMExports();
  try {
    return action();
  } finally {
    restore();
  }
}
