import { findRoot, loadConfig, type ResolvedConfig } from '@woods/protocol';
import type { CommonOptions } from '../options/common.ts';
import type { Session } from '../session.ts';

/** Where a command works. */
export interface Place {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Absolute; it may not exist. */
  readonly indexDir: string;
  readonly config: ResolvedConfig;
}

/** The tree and index that the options, the environment and the configuration files name. Throws UsageError. */
export function findPlace({ cwd, env }: Pick<Session, 'cwd' | 'env'>, options: CommonOptions): Place {
  const { root } = findRoot({ cwd, root: options.root });
  const config = loadConfig({ root, env, flags: options.output === undefined ? {} : { output: options.output } });
  return { root, indexDir: config.output, config };
}
