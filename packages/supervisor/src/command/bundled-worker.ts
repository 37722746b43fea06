import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@woods/protocol';
import type { Command } from './lookup.ts';

/**
 * The worker that comes with Woods, run when no command is given. It is found at run time and never imported: the
 * supervisor must start in milliseconds and hold no parser. Throws UsageError when it is not installed.
 */
export function bundledWorker(): Command {
  const path = locate();
  if (path === null || !existsSync(path)) {
    throw new UsageError('the bundled worker is not installed; install @woods/worker, or give a command after --');
  }
  return { file: process.execPath, name: process.execPath, args: [path] };
}

function locate(): string | null {
  try {
    return fileURLToPath(import.meta.resolve('@woods/worker/bin/woods-worker.js'));
  } catch {
    return null;
  }
}
