/** Every key of the configuration: where it may stand, what it holds, and what holds without it. */
import { VARIABLE } from '../names/variables.ts';
import {
  boolean,
  integer,
  type Kind,
  listOf,
  nonEmptyText,
  nullable,
  oneOf,
  positiveInteger,
} from '../values/kinds.ts';
import { asBoolean, asNumber, asPoll, asText, type FromText } from './from-text.ts';
import { duration, projects } from './kinds.ts';

export interface Key<T> {
  /** The one file that may hold it: `woods.json` at the root, or the user's `config.json`. */
  readonly file: 'project' | 'user';
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly variable?: string;
  /** How messages name the command-line flag; the command parses it. */
  readonly flag?: string;
  /** For the variable. */
  readonly fromText?: FromText;
}

const MIB = 1_048_576;
const DAY_MS = 86_400_000;

const texts = listOf(nonEmptyText);

export const KEYS = {
  output: key('project', nonEmptyText, 'tmp/woods', { variable: VARIABLE.output, flag: '--output', fromText: asText }),
  include: key<readonly string[]>('project', texts, []),
  exclude: key<readonly string[]>('project', texts, []),
  languages: key<readonly string[] | null>('project', nullable(texts), null),
  maxFileBytes: key('project', positiveInteger, MIB),
  'watch.debounce': key('project', duration({ min: 'zero', max: 'timer' }), 100, {
    variable: VARIABLE.debounce,
    flag: '--debounce',
    fromText: asText,
  }),
  'watch.fullThreshold': key('project', positiveInteger, 50, {
    variable: VARIABLE.fullThreshold,
    flag: '--max-files',
    fromText: asNumber,
  }),
  'watch.poll': key('project', oneOf(['auto', 'always', 'never']), 'auto', {
    variable: VARIABLE.poll,
    fromText: asPoll,
  }),
  'watch.interval': key('project', duration({ min: 'more_than_zero', max: 'timer' }), 1000, {
    flag: '--interval',
    fromText: asText,
  }),
  'watch.idleTimeout': key<number | null>(
    'project',
    nullable(duration({ min: 'more_than_zero', max: 'timer' })),
    null,
    {
      variable: VARIABLE.idleTimeout,
      flag: '--idle-timeout',
      fromText: asText,
    },
  ),
  'watch.catchUp': key('project', boolean, true, { variable: VARIABLE.catchUp, fromText: asBoolean }),
  payloadRetention: key('project', integer({ min: 1, max: 1000 }), 3, {
    variable: VARIABLE.payloadRetention,
    fromText: asNumber,
  }),
  'retrieval.mode': key('project', oneOf(['auto', 'lexical', 'semantic']), 'auto', {
    variable: VARIABLE.retrievalMode,
    fromText: asText,
  }),
  'embedding.url': key<string | null>('user', nullable(nonEmptyText), null),
  'embedding.model': key<string | null>('user', nullable(nonEmptyText), null),
  'embedding.keyEnv': key<string | null>('user', nullable(nonEmptyText), null),
  'hooks.command': key('project', nonEmptyText, 'npx woods', { variable: VARIABLE.hookCommand, fromText: asText }),
  projects: key('user', projects, []),
  respectGitignore: key('user', boolean, true),
  'reaper.idle': key('user', duration({ min: 'zero' }), 14 * DAY_MS),
  'reaper.keep': key<readonly string[]>('user', texts, []),
  'reaper.salvageMaxBytes': key('user', integer({ min: 0 }), 64 * MIB),
  'reaper.retention': key('user', duration({ min: 'zero' }), 30 * DAY_MS),
  /** Null is the list that the reaper brings. */
  'reaper.ignoredRegenerable': key<readonly string[] | null>('user', nullable(texts), null),
};

export type ConfigKey = keyof typeof KEYS;

type ValueOf<K> = K extends Key<infer T> ? T : never;

export type ConfigValues = { readonly [K in ConfigKey]: ValueOf<(typeof KEYS)[K]> };

// Every name of the table is a ConfigKey by definition; `Object.keys` cannot say so.
export const CONFIG_KEYS = Object.keys(KEYS) as readonly ConfigKey[];

function key<T>(
  file: Key<T>['file'],
  kind: Kind<T>,
  fallback: T,
  text: Pick<Key<T>, 'variable' | 'flag' | 'fromText'> = {},
): Key<T> {
  return { file, kind, fallback, ...text };
}
