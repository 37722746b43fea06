import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type ConfigFlags,
  configFingerprint,
  type Environment,
  loadConfig,
  type ResolvedConfig,
  UsageError,
} from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/directory.ts';
import { treeOf } from './support/tree.ts';

interface Given {
  project?: unknown;
  user?: unknown;
  env?: Environment;
  flags?: ConfigFlags;
}

/** What is effective with these files, variables and flags; paths are relative to a home with an `app` in it. */
function configOf({ project, user, env = {}, flags }: Given): { config: ResolvedConfig; root: string } {
  const home = treeOf({
    'app/': '',
    ...(project === undefined ? {} : { 'app/woods.json': textOf(project) }),
    ...(user === undefined ? {} : { '.config/woods/config.json': textOf(user) }),
  });
  const root = join(home, 'app');
  return { root, config: loadConfig({ root, env: { HOME: home, ...env }, ...(flags === undefined ? {} : { flags }) }) };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function messageOf(given: Given): string {
  try {
    configOf(given);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('the configuration', () => {
  it('has defaults for everything, and says so', () => {
    const { config, root } = configOf({});
    const { sources, ...values } = config;
    expect(values).toEqual({
      output: join(root, 'tmp/woods'),
      include: [],
      exclude: [],
      languages: null,
      maxFileBytes: 1_048_576,
      watch: { debounceMs: 100, fullThreshold: 50, poll: 'auto', intervalMs: 1000, idleTimeoutMs: null, catchUp: true },
      payloadRetention: 3,
      retrieval: { mode: 'auto' },
      embedding: { url: null, model: null, keyEnv: null },
      hooks: { command: 'npx woods' },
      projects: [],
      respectGitignore: true,
      reaper: {
        idleMs: 14 * 86_400_000,
        keep: [],
        salvageMaxBytes: 67_108_864,
        retentionMs: 30 * 86_400_000,
        ignoredRegenerable: null,
      },
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(Object.keys(sources)).toHaveLength(24);
  });

  it('takes every key of the project’s file', () => {
    const { config, root } = configOf({
      project: {
        output: 'var/index',
        include: ['src/**'],
        exclude: ['**/*.gen.ts'],
        languages: ['typescript'],
        maxFileBytes: 5,
        watch: {
          debounce: 0.25,
          fullThreshold: 7,
          poll: 'never',
          interval: '500ms',
          idleTimeout: '2h',
          catchUp: false,
        },
        payloadRetention: 5,
        retrieval: { mode: 'lexical' },
        hooks: { command: 'docker compose exec -T app npx woods' },
      },
    });
    expect(config).toMatchObject({
      output: join(root, 'var/index'),
      include: ['src/**'],
      exclude: ['**/*.gen.ts'],
      languages: ['typescript'],
      maxFileBytes: 5,
      watch: {
        debounceMs: 250,
        fullThreshold: 7,
        poll: 'never',
        intervalMs: 500,
        idleTimeoutMs: 7_200_000,
        catchUp: false,
      },
      payloadRetention: 5,
      retrieval: { mode: 'lexical' },
      hooks: { command: 'docker compose exec -T app npx woods' },
    });
    expect(Object.values(config.sources).filter((source) => source === 'project')).toHaveLength(14);
  });

  it('takes every key of the user’s file', () => {
    const { config } = configOf({
      user: {
        embedding: { url: 'http://localhost:11434', model: 'm', keyEnv: 'KEY' },
        projects: [
          { name: 'a', path: '/a', env: { TOKEN: 'x' }, envFile: '.env' },
          { name: 'b', path: '/b' },
        ],
        respectGitignore: false,
        reaper: { idle: '7d', keep: ['dirty'], salvageMaxBytes: 0, retention: 3600, ignoredRegenerable: ['dist'] },
      },
    });
    expect(config).toMatchObject({
      embedding: { url: 'http://localhost:11434', model: 'm', keyEnv: 'KEY' },
      projects: [
        { name: 'a', path: '/a', env: { TOKEN: 'x' }, envFile: '.env' },
        { name: 'b', path: '/b', env: {}, envFile: null },
      ],
      respectGitignore: false,
      reaper: {
        idleMs: 604_800_000,
        keep: ['dirty'],
        salvageMaxBytes: 0,
        retentionMs: 3_600_000,
        ignoredRegenerable: ['dist'],
      },
    });
    expect(Object.values(config.sources).filter((source) => source === 'user')).toHaveLength(10);
  });

  it('takes every variable', () => {
    const { config } = configOf({
      env: {
        WOODS_OUTPUT: '/srv/index',
        WOODS_WATCH_DEBOUNCE: '0',
        WOODS_WATCH_FULL_THRESHOLD: '80',
        WOODS_WATCH_POLL: '1',
        WOODS_WATCH_IDLE_TIMEOUT: '90',
        WOODS_WATCH_CATCH_UP: '0',
        WOODS_PAYLOAD_RETENTION: '1',
        WOODS_RETRIEVAL_MODE: 'semantic',
        WOODS_HOOK_COMMAND: 'woods',
      },
    });
    expect(config).toMatchObject({
      output: '/srv/index',
      watch: { debounceMs: 0, fullThreshold: 80, poll: 'always', idleTimeoutMs: 90_000, catchUp: false },
      payloadRetention: 1,
      retrieval: { mode: 'semantic' },
      hooks: { command: 'woods' },
    });
    expect(Object.values(config.sources).filter((source) => source === 'variable')).toHaveLength(9);
  });

  it('takes flags first, then variables, then the file', () => {
    const project = { watch: { fullThreshold: 1, debounce: 1, interval: 1, idleTimeout: 1 }, output: 'a' };
    const env = {
      WOODS_WATCH_FULL_THRESHOLD: '2',
      WOODS_WATCH_DEBOUNCE: '2',
      WOODS_WATCH_IDLE_TIMEOUT: '2',
      WOODS_OUTPUT: 'b',
    };
    const flags = { output: 'c', watch: { fullThreshold: 3, debounceMs: 3000, intervalMs: 3000, idleTimeoutMs: 3000 } };
    const watchOf = (given: Given) => configOf(given).config.watch;
    expect(watchOf({ project })).toMatchObject({
      fullThreshold: 1,
      debounceMs: 1000,
      intervalMs: 1000,
      idleTimeoutMs: 1000,
    });
    expect(watchOf({ project, env })).toMatchObject({ fullThreshold: 2, debounceMs: 2000, idleTimeoutMs: 2000 });
    expect(watchOf({ project, env, flags })).toMatchObject({
      fullThreshold: 3,
      debounceMs: 3000,
      intervalMs: 3000,
      idleTimeoutMs: 3000,
    });
    const { config, root } = configOf({ project, env, flags });
    expect(config.output).toBe(join(root, 'c'));
    expect(config.sources).toMatchObject({ output: 'flag', 'watch.interval': 'flag', 'watch.catchUp': 'default' });
    expect(configOf({ project, env }).config.sources).toMatchObject({
      output: 'variable',
      'watch.interval': 'project',
    });
  });

  it('takes a blank variable for an unset one', () => {
    const { config } = configOf({ project: { output: 'a' }, env: { WOODS_OUTPUT: '', WOODS_WATCH_DEBOUNCE: ' ' } });
    expect(config.sources).toMatchObject({ output: 'project', 'watch.debounce': 'default' });
  });

  it('finds the user’s file by XDG_CONFIG_HOME when that is absolute', () => {
    const other = treeOf({ 'woods/config.json': '{ "respectGitignore": false }' });
    expect(configOf({ env: { XDG_CONFIG_HOME: other } }).config.respectGitignore).toBe(false);
    const relativePath = relative(process.cwd(), other);
    expect(configOf({ env: { XDG_CONFIG_HOME: relativePath } }).config.respectGitignore).toBe(true);
  });

  it('follows a link to a file, and blocks on no FIFO', () => {
    const root = treeOf({ 'real.json': '{ "payloadRetention": 9 }' });
    symlinkSync('real.json', join(root, 'woods.json'));
    const env = { HOME: temporaryDirectory() };
    expect(loadConfig({ root, env }).payloadRetention).toBe(9);
    renameSync(join(root, 'woods.json'), join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'woods.json')]);
    expect(() => loadConfig({ root, env })).toThrow(/woods.json cannot be read: expected a regular file/);
  });

  it('holds text that a shell would not, as it stands', () => {
    const { config } = configOf({
      user: { projects: [{ name: 'a', path: '/a', env: { 'FOO-BAR': 'x\ny', __proto__: '' } }] },
    });
    expect(config.projects[0]?.env['FOO-BAR']).toBe('x\ny');
  });
});

describe('a mistake in the configuration', () => {
  it.each<[string, Given, RegExp]>([
    [
      'a typo',
      { project: { watch: { debonce: 1 } } },
      /app\/woods\.json: unknown key "watch\.debonce"; did you mean "watch\.debounce"\?$/,
    ],
    [
      'another case',
      { project: { payloadretention: 1 } },
      /unknown key "payloadretention"; did you mean "payloadRetention"\?/,
    ],
    ['a stray key', { project: { zebra: 1 } }, /unknown key "zebra"; expected one of output, include, /],
    ['a dotted key', { project: { 'watch.debounce': 1, constructor: 1 } }, /unknown key "constructor"/],
    [
      'a key of the user in the project',
      { project: { embedding: { url: 'x' } } },
      /app\/woods\.json: "embedding\.url" belongs in the user's config\.json; move it there/,
    ],
    [
      'a key of the project for the user',
      { user: { output: 'x' } },
      /config\.json: "output" belongs in the project's woods\.json; move it there/,
    ],
    [
      'a section that is none',
      { project: { watch: 5 } },
      /app\/woods\.json: expected "watch" to be an object, found 5/,
    ],
    [
      'half of a file',
      { project: '{ "output": ' },
      /app\/woods\.json: expected JSON \(without comments\), found otherwise: /,
    ],
    ['a comment', { project: '// x\n{}' }, /expected JSON \(without comments\)/],
    ['another value', { project: [] }, /app\/woods\.json: expected a JSON object, found \[\]/],
    [
      'a huge file',
      { project: `{"output":"${'x'.repeat(300_000)}"}` },
      /app\/woods\.json cannot be read: expected at most 262144 bytes/,
    ],
    [
      'output: a number',
      { project: { output: 5 } },
      /app\/woods\.json: "output": expected text that is not empty, found 5/,
    ],
    ['output: empty', { project: { output: '' } }, /"output": expected text that is not empty, found ""/],
    [
      'include: text',
      { project: { include: 'src' } },
      /"include": expected a list, each entry text that is not empty, found "src"/,
    ],
    ['include: numbers', { project: { include: ['a', 1] } }, /found \["a",1\]/],
    ['maxFileBytes: zero', { project: { maxFileBytes: 0 } }, /"maxFileBytes": expected a positive integer, found 0/],
    [
      'maxFileBytes: text',
      { project: { maxFileBytes: '1 MiB' } },
      /"maxFileBytes": expected a positive integer, found "1 MiB"/,
    ],
    [
      'debounce: negative',
      { project: { watch: { debounce: -1 } } },
      /"watch\.debounce": expected a number of seconds, 0 or more .+ found -1/,
    ],
    ['debounce: longer than any timer', { project: { watch: { debounce: '25d' } } }, /at most 24 days.+found "25d"/],
    ['debounce: a unit that is none', { project: { watch: { debounce: '5 min' } } }, /found "5 min"/],
    [
      'interval: zero',
      { project: { watch: { interval: 0 } } },
      /"watch\.interval": expected a number of seconds, more than 0.+ found 0/,
    ],
    ['poll: true', { project: { watch: { poll: true } } }, /"watch\.poll": expected auto, always, never, found true/],
    [
      'catchUp: text',
      { project: { watch: { catchUp: 'no' } } },
      /"watch\.catchUp": expected true or false, found "no"/,
    ],
    [
      'retention: a fraction',
      { project: { payloadRetention: 2.5 } },
      /"payloadRetention": expected an integer from 1 to 1000, found 2\.5/,
    ],
    [
      'a project without a path',
      { user: { projects: [{ name: 'a' }] } },
      /"projects": expected a list, each entry an object with name, an absolute path/,
    ],
    [
      'a project with a typo',
      { user: { projects: [{ name: 'a', path: '/a', envfile: 'x' }] } },
      /"projects": expected a list/,
    ],
    [
      'a variable: no number',
      { env: { WOODS_WATCH_FULL_THRESHOLD: 'many' } },
      /^WOODS_WATCH_FULL_THRESHOLD: expected a positive integer, found "many"$/,
    ],
    [
      'a variable: hexadecimal',
      { env: { WOODS_WATCH_FULL_THRESHOLD: '0x10' } },
      /^WOODS_WATCH_FULL_THRESHOLD: .+ found "0x10"$/,
    ],
    ['a variable: exponent', { env: { WOODS_PAYLOAD_RETENTION: '1e2' } }, /^WOODS_PAYLOAD_RETENTION: .+ found "1e2"$/],
    [
      'a variable: seconds',
      { env: { WOODS_WATCH_DEBOUNCE: 'soon' } },
      /^WOODS_WATCH_DEBOUNCE: expected a number of seconds.+ found "soon"$/,
    ],
    ['a variable: Infinity', { env: { WOODS_WATCH_DEBOUNCE: 'Infinity' } }, /found "Infinity"$/],
    [
      'a variable: idle timeout of zero',
      { env: { WOODS_WATCH_IDLE_TIMEOUT: '0' } },
      /^WOODS_WATCH_IDLE_TIMEOUT: .+more than 0.+ found "0"$/,
    ],
    [
      'a variable: yes and no',
      { env: { WOODS_WATCH_CATCH_UP: 'perhaps' } },
      /^WOODS_WATCH_CATCH_UP: expected true or false, found "perhaps"$/,
    ],
    [
      'a variable: mode',
      { env: { WOODS_RETRIEVAL_MODE: 'fast' } },
      /^WOODS_RETRIEVAL_MODE: expected auto, lexical, semantic, found "fast"$/,
    ],
    ['a flag', { flags: { watch: { fullThreshold: 0 } } }, /^--max-files: expected a positive integer, found 0$/],
    [
      'a flag: seconds',
      { flags: { watch: { intervalMs: -5 } } },
      /^--interval: expected a number of seconds, more than 0.+ found "-5ms"$/,
    ],
    ['a flag: not a number', { flags: { watch: { intervalMs: Number.NaN } } }, /^--interval: .+ found "NaNms"$/],
  ])('is told with where, what was expected and what was found: %s', (_, given, message) => {
    expect(messageOf(given)).toMatch(message);
  });

  it('counts in a file that a flag or variable overrides', () => {
    expect(messageOf({ project: { nonsense: 1 }, flags: { output: 'x' } })).toMatch(/unknown key/);
  });

  it('keeps control characters off the terminal', () => {
    const project = { '\u001b[2J\u009b': 1, output: '\u001b' };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(messageOf({ project })).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it('is an index directory around the tree, which it would hide', () => {
    for (const output of ['.', '..', './', 'src/..', '/']) {
      expect(messageOf({ project: { output } })).toMatch(
        /^expected the index directory to be below the root or beside it/,
      );
    }
    for (const output of ['...', '../index', 'app', '..app'])
      expect(configOf({ project: { output } }).config.output).toBeTruthy();
  });
});

describe('the fingerprint', () => {
  it('follows what changes records, and nothing else', () => {
    const printOf = (given: Given) => configFingerprint(configOf(given).config);
    const plain = printOf({});
    expect(plain).toMatch(/^[0-9a-f]{16}$/);
    expect(
      printOf({
        project: { output: 'x', watch: { debounce: 3 }, payloadRetention: 9 },
        user: { respectGitignore: false },
      }),
    ).toBe(plain);
    const others = [
      { include: ['a'] },
      { exclude: ['a'] },
      { languages: ['typescript'] },
      { languages: [] },
      { maxFileBytes: 7 },
    ];
    const prints = others.map((project) => printOf({ project }));
    expect(new Set([plain, ...prints]).size).toBe(others.length + 1);
  });
});

it('needs no home directory that exists', () => {
  const root = treeOf({ 'a/': '' });
  mkdirSync(join(root, 'b'));
  writeFileSync(join(root, 'b/woods.json'), '{}');
  expect(loadConfig({ root: join(root, 'b'), env: { HOME: '/nowhere' } }).payloadRetention).toBe(3);
});
