/** Becoming the one worker of an index. */
import { flockSupport } from '@woods/posix';
import { errnoOf, type selfIdentity } from '@woods/protocol';
import { prepareIndexDirectory } from '../boot/index-directory.ts';
import { acquireClaim, type ClaimAttempt, type ClaimRequest } from '../claim/claim.ts';
import { messageOf } from '../cycle/words.ts';
import { alreadyRunningEnd, type End, unsupportedEnd } from './end.ts';
import type { Settings } from './options.ts';
import type { Resources } from './shutdown.ts';

/** Null once the index is ours, and its identity told; else the end. Throws UsageError for a directory that cannot be used. */
export async function enterIndex(
  settings: Settings,
  held: Resources,
  world: { self: ReturnType<typeof selfIdentity>; say: (line: string) => void },
): Promise<End | null> {
  const flock = flockSupport();
  if (!flock.ok) return unsupportedEnd(flock.reason);
  const indexDir = settings.config.output;
  prepareIndexDirectory(indexDir);
  if (settings.claim === 'take') {
    const attempt = await claimOf(indexDir, { run: settings.mode.kind, self: world.self });
    if (attempt.kind === 'refused') return alreadyRunningEnd(attempt);
    held.claim = attempt.claim;
    if (attempt.took !== null) world.say(`took the index over: ${attempt.took}`);
  }
  held.records.identity(settings.root, indexDir);
  return null;
}

/** The system names no file when a write fails, so a full disk is put into words here. */
async function claimOf(indexDir: string, who: Omit<ClaimRequest, 'indexDir'>): Promise<ClaimAttempt> {
  try {
    return await acquireClaim({ indexDir, ...who });
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    const what = `the index directory ${indexDir} cannot be written: ${messageOf(error)}`;
    throw new Error(`${what}; make room there, or choose another with --output`, { cause: error });
  }
}
