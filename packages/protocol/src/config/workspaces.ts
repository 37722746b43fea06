import { join } from 'node:path';
import { boundedRead } from '../files/bounded-read.ts';
import { isObject, parseObject } from '../values/json.ts';

const MAX_BYTES = 1_048_576;

/** Whether `directory` is the root of an npm, yarn, bun or pnpm workspace. A file that cannot be read declares nothing. */
export function declaresWorkspaces(directory: string): boolean {
  return (
    declaresNpmWorkspaces(join(directory, 'package.json')) ||
    declaresPnpmWorkspaces(join(directory, 'pnpm-workspace.yaml'))
  );
}

function declaresNpmWorkspaces(path: string): boolean {
  const read = boundedRead(path, MAX_BYTES, { links: 'follow' });
  // most package.json files never say the word, and need no parsing
  if (!read.ok || !read.text.includes('"workspaces"')) return false;
  const workspaces = parseObject(read.text)?.workspaces;
  const globs = isObject(workspaces) ? workspaces.packages : workspaces;
  return Array.isArray(globs) && globs.length > 0;
}

/** Since pnpm 10 the file may hold settings alone; only `packages` makes it a workspace. */
function declaresPnpmWorkspaces(path: string): boolean {
  const read = boundedRead(path, MAX_BYTES, { links: 'follow' });
  return read.ok && /^["']?packages["']?\s*:/m.test(read.text);
}
