import { resolve } from 'node:path';
import type { ConfigKey, ConfigValues } from './keys.ts';
import type { Project } from './kinds.ts';

/** Where a value came from. */
export type Source = 'flag' | 'variable' | 'project' | 'user' | 'default';

/** The effective configuration. Durations are in milliseconds. */
export interface ResolvedConfig {
  /** The index directory, absolute. */
  readonly output: string;
  /** Globs on root-relative paths; none includes everything. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Null is all of them. */
  readonly languages: readonly string[] | null;
  readonly maxFileBytes: number;
  readonly watch: {
    readonly debounceMs: number;
    readonly fullThreshold: number;
    readonly poll: 'auto' | 'always' | 'never';
    readonly intervalMs: number;
    readonly idleTimeoutMs: number | null;
    readonly catchUp: boolean;
  };
  /** Generations kept, the current one included. */
  readonly payloadRetention: number;
  readonly retrieval: { readonly mode: 'auto' | 'lexical' | 'semantic' };
  /** `keyEnv` names the variable that holds the key. */
  readonly embedding: { readonly url: string | null; readonly model: string | null; readonly keyEnv: string | null };
  readonly hooks: { readonly command: string };
  readonly projects: readonly Project[];
  readonly respectGitignore: boolean;
  readonly reaper: {
    readonly idleMs: number;
    readonly keep: readonly string[];
    readonly salvageMaxBytes: number;
    readonly retentionMs: number;
    /** Null is the list that the reaper brings. */
    readonly ignoredRegenerable: readonly string[] | null;
  };
  /** By key as config files have it: `watch.debounce`. */
  readonly sources: Readonly<Record<ConfigKey, Source>>;
}

export function shapeConfig(
  root: string,
  values: ConfigValues,
  sources: Readonly<Record<ConfigKey, Source>>,
): ResolvedConfig {
  return {
    output: resolve(root, values.output),
    include: values.include,
    exclude: values.exclude,
    languages: values.languages,
    maxFileBytes: values.maxFileBytes,
    watch: {
      debounceMs: values['watch.debounce'],
      fullThreshold: values['watch.fullThreshold'],
      poll: values['watch.poll'],
      intervalMs: values['watch.interval'],
      idleTimeoutMs: values['watch.idleTimeout'],
      catchUp: values['watch.catchUp'],
    },
    payloadRetention: values.payloadRetention,
    retrieval: { mode: values['retrieval.mode'] },
    embedding: { url: values['embedding.url'], model: values['embedding.model'], keyEnv: values['embedding.keyEnv'] },
    hooks: { command: values['hooks.command'] },
    projects: values.projects,
    respectGitignore: values.respectGitignore,
    reaper: {
      idleMs: values['reaper.idle'],
      keep: values['reaper.keep'],
      salvageMaxBytes: values['reaper.salvageMaxBytes'],
      retentionMs: values['reaper.retention'],
      ignoredRegenerable: values['reaper.ignoredRegenerable'],
    },
    sources,
  };
}
