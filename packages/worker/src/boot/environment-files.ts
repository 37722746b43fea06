import { readdirSync } from 'node:fs';

/** Names of the `.env*` files at the root, which most projects keep out of git, and with it out of the watched tree. */
export function environmentFiles(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => name.startsWith('.env'));
  } catch {
    return [];
  }
}
