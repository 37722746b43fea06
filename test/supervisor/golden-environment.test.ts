/** Every variable that a real child sees, whatever woods-watch was started by. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeWithTools } from '../support/tools.ts';
import { MANAGER_RUNS } from './support/package-managers.ts';
import {
  environmentOf,
  OF_SHELLS,
  run,
  type Start,
  seenBy,
  showing,
  withoutVarying,
} from './support/seen-environment.ts';
import { BINARY } from './support/woods-watch.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'woods golden-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
/** Places, where our own Node looks for what NODE_OPTIONS names before it runs us. */
const bootloader = save('with blank/ms-vscode.js-debug/src/bootloader.js', '');
const linked = save('ts-node/esm.mjs', '');
const mine = save('mine.cjs', '');
save('node_modules/tsx/index.js', '');
save('node_modules/tsx/package.json', '{"name":"tsx","exports":"./index.js"}');

function save(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** What a login leaves, and nothing of the machine on which this runs. */
const PLAIN = { HOME: '/root', LANG: 'C.UTF-8', PATH: '/usr/bin:/bin', SSH_AUTH_SOCK: '/run/agent', TERM: 'xterm' };
/** What every child has beside its tokens and its socket. */
const ALWAYS = { PWD: root, WOODS_WATCH_EVENT_FD: '3' };

function seen(env: Record<string, string>, more: Omit<Start, 'env' | 'root'> = {}): Record<string, string> {
  return Object.fromEntries(seenBy({ env, root, ...more }));
}

describe.runIf(process.platform === 'linux')('a child sees exactly this', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'a plain shell',
      { PWD: '/elsewhere', http_proxy: 'http://p:3128', AWS_SECRET_ACCESS_KEY: 's' },
      {
        http_proxy: 'http://p:3128',
        AWS_SECRET_ACCESS_KEY: 's',
      },
    ],
    ['nothing at all', {}, {}],
    [
      'odd names',
      {
        'FOO-BAR': '1',
        'spring.datasource.url': 'jdbc:x',
        'npm_config_//reg/:_authToken': 't',
        ['__proto__']: 'p',
        constructor: 'c',
        'a b': 'blank',
        NPM_TOKEN: 'upper case',
        Npm_x: 'mixed',
      },
      {
        'FOO-BAR': '1',
        'spring.datasource.url': 'jdbc:x',
        ['__proto__']: 'p',
        constructor: 'c',
        'a b': 'blank',
        NPM_TOKEN: 'upper case',
        Npm_x: 'mixed',
      },
    ],
    [
      'odd values',
      { LINES: 'one\ntwo=2\n', EMPTY: '', EQUALS: '=a=b=', BLANKS: '  ', SHELL_WORDS: '$(x) `y` "z" \\' },
      { LINES: 'one\ntwo=2\n', EMPTY: '', EQUALS: '=a=b=', BLANKS: '  ', SHELL_WORDS: '$(x) `y` "z" \\' },
    ],
    [
      'a service manager',
      {
        NOTIFY_SOCKET: '/run/systemd/notify',
        LISTEN_PID: '1',
        LISTEN_FDS: '2',
        LISTEN_FDNAMES: 'a:b',
        LISTEN_PIDFDID: '7',
        WATCHDOG_USEC: '1',
        WATCHDOG_PID: '1',
        INVOCATION_ID: 'i',
        JOURNAL_STREAM: '8:1',
        MAINPID: '1',
      },
      { NOTIFY_SOCKET: '/run/systemd/notify', INVOCATION_ID: 'i', JOURNAL_STREAM: '8:1', MAINPID: '1' },
    ],
    ['node --run', { NODE_RUN_SCRIPT_NAME: 'w', NODE_RUN_PACKAGE_JSON_PATH: '/p' }, {}],
    ["a cluster's worker", { NODE_UNIQUE_ID: '1', NODE_CHANNEL_SERIALIZATION_MODE: 'json' }, {}],
    [
      "VS Code's auto-attach",
      {
        NODE_OPTIONS: ` --require "${bootloader}"  --inspect-publish-uid=http --max-old-space-size=512`,
        VSCODE_INSPECTOR_OPTIONS: ':::{"inspectorIpc":"/tmp/node-cdp.1-2.sock"}',
        VSCODE_PID: '7',
      },
      { NODE_OPTIONS: '--max-old-space-size=512', VSCODE_PID: '7' },
    ],
    [
      'a debugger and two loaders, among options of our own',
      {
        NODE_OPTIONS: `--inspect=127.0.0.1:0 --require tsx --import=file://${encodeURI(linked)} --require "${mine}" --no-warnings --inspect_port=0`,
      },
      { NODE_OPTIONS: `--require "${mine}" --no-warnings` },
    ],
    ['a debugger alone', { NODE_OPTIONS: '--inspect-port=0' }, {}],
    [
      "an outer supervisor's variables",
      {
        WOODS_WATCH_EVENT_FD: '9',
        WOODS_WATCH_EVENT_SOCKET: '/tmp/outer',
        WOODS_WATCH_EVENT_NEW: 'x',
        WOODS_WATCH_LAUNCHER_TOKEN: 'outer-1',
        WOODS_WATCH_ATTEMPT_TOKEN: 'outer_1',
        WOODS_WATCH_POLL: '1',
        WOODS_WATCH_IDLE_TIMEOUT: ' ',
      },
      { WOODS_WATCH_POLL: '1', WOODS_WATCH_IDLE_TIMEOUT: ' ', WOODS_WATCH_OUTER_ATTEMPT_outer_1: '1' },
    ],
  ])('under %s', (_, added, expected) => {
    expect(seen({ ...PLAIN, ...added })).toEqual({ ...PLAIN, ...ALWAYS, ...expected });
  });

  it.each(Object.entries(MANAGER_RUNS))('under %s', (_, { adds, stays }) => {
    expect(seen({ ...PLAIN, ...adds })).toEqual({ ...PLAIN, ...ALWAYS, ...stays });
  });

  it('when one woods-watch runs another', () => {
    const outerWords = [BINARY, '--root', root, '--quiet', '--max-failures', '1', '--', process.execPath];
    const words = [...outerWords, ...showing(root)];
    const inner = withoutVarying(environmentOf(run(process.execPath, words, { env: PLAIN, root })));
    const outer = [...inner.keys()].filter((name) => name.startsWith('WOODS_WATCH_OUTER_ATTEMPT_'));
    expect(outer).toEqual([expect.stringMatching(/^WOODS_WATCH_OUTER_ATTEMPT_[0-9a-f]{32}$/)]);
    expect(Object.fromEntries(inner)).toEqual({ ...PLAIN, ...ALWAYS, [outer[0] ?? '']: '1' });
  });

  it('when a coverage tool runs us, unless the owner says otherwise', () => {
    const env = { ...PLAIN, NODE_V8_COVERAGE: join(root, 'coverage') };
    expect(seen(env)).toEqual({ ...env, ...ALWAYS });
    expect(seen(env, { args: ['--unset', 'NODE_V8_COVERAGE'] })).toEqual({ ...PLAIN, ...ALWAYS });
    expect(seen(env, { args: ['--env', 'NODE_V8_COVERAGE='] })).toEqual({ ...env, ...ALWAYS, NODE_V8_COVERAGE: '' });
  });

  it('with --env and --unset as the last word, in their order, also over what was removed or set by us', () => {
    const env = { ...PLAIN, npm_x: '1', A: '1', B: '1', BUNDLER_ORIG_C: 'c' };
    const args = [
      '--unset',
      'A',
      '--env',
      'A=2',
      '--env',
      'B=2',
      '--unset',
      'B',
      '--env',
      'npm_x=mine',
      '--unset',
      'C',
    ];
    const more = ['--env', 'PWD=/mine', '--env', 'D=', '--env', 'E-F=x=y', '--unset', 'LANG', '--unset', 'not-there'];
    const { LANG: _, ...plain } = PLAIN;
    const expected = { ...plain, ...ALWAYS, A: '2', npm_x: 'mine', PWD: '/mine', D: '', 'E-F': 'x=y' };
    expect(seen(env, { args: [...args, ...more] })).toEqual(expected);
  });

  it("without what Node's own process.env loses: bytes that are no UTF-8, and names that are empty or a whole number", () => {
    const script = 'export BYTES="$(printf \'a\\377b\\303\')" GOOD="$(printf \'\\303\\244\')"; exec "$@"';
    const child = seenBy({ env: { ...PLAIN, 7: 'seven', '': 'none' }, root, wrapper: ['/bin/sh', '-c', script, 'sh'] });
    const text = (name: string): string => Buffer.from(child.get(name) ?? '', 'latin1').toString('utf8');
    expect([text('BYTES'), text('GOOD')]).toEqual(['a\ufffdb\ufffd', 'ä']);
    expect([child.has('7'), child.has('')]).toEqual([false, false]);
  });
});

const NIL = 'BUNDLER_ENVIRONMENT_PRESERVER_INTENTIONALLY_NIL';

describe.runIf(process.platform === 'linux')('a child under bundle exec', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'a whole one',
      {
        BUNDLE_BIN_PATH: '/gems/exe/bundle',
        BUNDLE_GEMFILE: '/srv/app/Gemfile',
        BUNDLE_LOCKFILE: '/srv/app/Gemfile.lock',
        BUNDLER_VERSION: '2.6.2',
        BUNDLER_SETUP: '/gems/bundler/setup',
        BUNDLER_ORIG_BUNDLER_ORIG_MANPATH: NIL,
        BUNDLER_ORIG_BUNDLE_BIN_PATH: NIL,
        BUNDLER_ORIG_BUNDLE_GEMFILE: NIL,
        BUNDLER_ORIG_BUNDLER_VERSION: NIL,
        BUNDLER_ORIG_GEM_HOME: '/home/gems',
        BUNDLER_ORIG_GEM_PATH: NIL,
        BUNDLER_ORIG_MANPATH: NIL,
        BUNDLER_ORIG_PATH: '/usr/bin:/bin',
        BUNDLER_ORIG_RB_USER_INSTALL: NIL,
        BUNDLER_ORIG_RUBYLIB: NIL,
        BUNDLER_ORIG_RUBYOPT: '-W:no-deprecated',
        GEM_HOME: '/gems',
        PATH: '/gems/bin:/usr/bin:/bin',
        RUBYLIB: '/gems/lib',
        RUBYOPT: '-r/gems/bundler/setup -W:no-deprecated',
      },
      {
        BUNDLE_GEMFILE: '/srv/app/Gemfile',
        BUNDLER_SETUP: '/gems/bundler/setup',
        GEM_HOME: '/home/gems',
        RUBYOPT: '-W:no-deprecated',
      },
    ],
    ['a relative Gemfile', { BUNDLE_GEMFILE: 'gemfiles/a' }, { BUNDLE_GEMFILE: join(root, 'gemfiles/a') }],
    ['a Gemfile above', { BUNDLE_GEMFILE: '../a' }, { BUNDLE_GEMFILE: join(root, '../a') }],
    ['an empty Gemfile', { BUNDLE_GEMFILE: '' }, { BUNDLE_GEMFILE: '' }],
    ['an empty Gemfile that was none', { BUNDLE_GEMFILE: '', BUNDLER_ORIG_BUNDLE_GEMFILE: NIL }, {}],
    ['a Gemfile that was none', { BUNDLER_ORIG_BUNDLE_GEMFILE: NIL }, {}],
    [
      'another Gemfile before',
      { BUNDLE_GEMFILE: 'a', BUNDLER_ORIG_BUNDLE_GEMFILE: '/b' },
      {
        BUNDLE_GEMFILE: join(root, 'a'),
      },
    ],
    ['a Gemfile only before', { BUNDLER_ORIG_BUNDLE_GEMFILE: 'b' }, { BUNDLE_GEMFILE: 'b' }],
    ['a value that was empty', { X: '1', BUNDLER_ORIG_X: '' }, { X: '' }],
    ['a value that only looks like none', { BUNDLER_ORIG_X: `${NIL}x` }, { X: `${NIL}x` }],
    ['an original of nothing', { BUNDLER_ORIG_: 'x' }, {}],
    ['an original of npm', { BUNDLER_ORIG_npm_x: 'x', BUNDLER_ORIG_LISTEN_FDS: '1' }, {}],
    ['an original of what bundler owns', { BUNDLER_ORIG_BUNDLER_VERSION: '1', BUNDLER_ORIG_BUNDLE_BIN_PATH: '/b' }, {}],
  ])('%s', (_, added, expected) => {
    expect(seen({ ...PLAIN, ...added })).toEqual({ ...PLAIN, ...ALWAYS, ...expected });
  });
});

describeWithTools('a child of a woods-watch that npm started', ['npm', 'npx', 'sh'], () => {
  const command = [process.execPath, ...showing(root)].map((word) => `'${word}'`).join(' ');
  const scripts = { watch: command, show: '/bin/cat /proc/self/environ' };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'orchard', version: '1.2.3', scripts }));
  writeFileSync(join(root, '.npmrc'), '//registry.example/:_authToken=secret\nupdate-notifier=false\n');
  const env = { ...PLAIN, HOME: root, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const from = (file: string, ...words: string[]) => environmentOf(run(file, words, { env, root }));
  const shared = (environment: Map<string, string>): Record<string, string> =>
    Object.fromEntries([...environment].filter(([name]) => !OF_SHELLS.includes(name)));

  it.each([
    ['npm run', () => [from('npm', 'run', '--silent', 'watch'), from('npm', 'run', '--silent', 'show')]],
    ['npx', () => [from('npx', '--no-install', '-c', command), from('npx', '--no-install', '-c', scripts.show)]],
  ] as const)('%s: what npm made, without what is only about npm', (_, both) => {
    const [child, script] = both();
    if (child === undefined || script === undefined) throw new Error('two runs make two environments');
    expect([...script.keys()]).toContain('npm_lifecycle_event');
    const { COLOR, EDITOR, NODE, PATH, ...rest } = shared(withoutVarying(child));
    expect(rest).toEqual({ HOME: root, LANG: PLAIN.LANG, SSH_AUTH_SOCK: '/run/agent', TERM: 'xterm', ...ALWAYS });
    expect({ COLOR, EDITOR, NODE, PATH }).toEqual({
      COLOR: script.get('COLOR'),
      EDITOR: script.get('EDITOR'),
      NODE: script.get('NODE'),
      PATH: script.get('PATH'),
    });
    expect(PATH?.split(':')).toContain(join(root, 'node_modules/.bin'));
  });
});
