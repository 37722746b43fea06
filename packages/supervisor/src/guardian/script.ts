import { fileURLToPath } from 'node:url';

/** The shell that guards where no other is asked for. Its path is part of POSIX practice and needs no PATH. */
export const SHELL = ['/bin/sh'] as const;

/** The same for where no shell can be run, compiled: Node cannot run the source next to us. */
export const NODE_SCRIPT = fileURLToPath(new URL('../../dist/guardian/node-guardian.js', import.meta.url));

/** The guardian's script. It lies beside the binaries, as far from `src` as from `dist`. */
export const SCRIPT = fileURLToPath(new URL('../../bin/woods-guardian.sh', import.meta.url));
