import { existsSync } from 'node:fs';

/** The shells of this machine that a guardian must work with. */
export const SHELLS: readonly (readonly [string, ...string[]])[] = (
  [['/usr/bin/dash'], ['/usr/bin/bash'], ['/usr/bin/bash', '--posix'], ['/usr/bin/busybox', 'sh']] as const
).filter(([file]) => existsSync(file));
