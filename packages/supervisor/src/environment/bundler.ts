import { resolve } from 'node:path';
import type { Environment } from './environment.ts';

const ORIGINAL = 'BUNDLER_ORIG_';
const WAS_UNSET = 'BUNDLER_ENVIRONMENT_PRESERVER_INTENTIONALLY_NIL';
const OWN = ['BUNDLE_BIN_PATH', 'BUNDLER_VERSION', 'BUNDLE_LOCKFILE'];

/**
 * Undoes what `bundle exec` did to the environment. The Gemfile that was chosen for us is kept, made absolute against
 * `root`, because the child resolves it from another directory than we did.
 */
export function leaveBundler(environment: Environment, root: string): void {
  const gemfile = environment.get('BUNDLE_GEMFILE');
  for (const [name, value] of [...environment]) {
    if (!name.startsWith(ORIGINAL)) continue;
    environment.delete(name);
    const restored = name.slice(ORIGINAL.length);
    if (restored === '') continue;
    if (value === WAS_UNSET) environment.delete(restored);
    else environment.set(restored, value);
  }
  for (const name of OWN) environment.delete(name);
  if (gemfile !== undefined && gemfile !== '') environment.set('BUNDLE_GEMFILE', resolve(root, gemfile));
}
