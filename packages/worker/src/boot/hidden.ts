import { readdirSync } from 'node:fs';
import { INSTALL_MARKERS } from '../policy/tables.ts';

/** Looked for whether they exist or not; others only when they do. */
const USUAL_ENVIRONMENT_FILES = ['.env', '.env.local', '.env.development', '.env.production', '.env.test', '.envrc'];

/**
 * Restart-class files that most projects keep out of git, and with it out of the watched tree, known without looking at
 * the tree: what installations write, and the `.env*` files at the root.
 */
export function hiddenByName(root: string): string[] {
  return [...new Set([...INSTALL_MARKERS, ...USUAL_ENVIRONMENT_FILES, ...environmentFiles(root)])];
}

function environmentFiles(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => name.startsWith('.env'));
  } catch {
    return [];
  }
}
