import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childEnvironment, type Override } from '../../packages/supervisor/src/environment/child-environment.ts';
import { cleanNodeOptions } from '../../packages/supervisor/src/environment/node-options.ts';

const ROOT = '/srv/app';
const SUPERVISION = {
  launcher: 'a'.repeat(32),
  attempt: 'b'.repeat(32),
  eventFd: 3,
  eventSocket: '/tmp/woods-events-x/1',
};
/** What every child has, whatever we inherited. */
const ALWAYS = {
  PWD: ROOT,
  WOODS_WATCH_EVENT_FD: '3',
  WOODS_WATCH_EVENT_SOCKET: '/tmp/woods-events-x/1',
  WOODS_WATCH_LAUNCHER_TOKEN: 'a'.repeat(32),
  WOODS_WATCH_ATTEMPT_TOKEN: 'b'.repeat(32),
};

function build(inherited: Record<string, string>, overrides: readonly Override[] = []): Record<string, string> {
  return childEnvironment({ inherited, root: ROOT, supervision: SUPERVISION, overrides });
}

describe('the environment of a child, to the last variable', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'a plain shell',
      { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', https_proxy: 'http://p', AWS_SECRET_KEY: 's', PWD: '/else' },
      { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', https_proxy: 'http://p', AWS_SECRET_KEY: 's' },
    ],
    [
      'odd names and values',
      { 'FOO-BAR': '1', 'spring.datasource.url': 'jdbc', '': 'x', EMPTY: '', LINES: 'a\nb', ['__proto__']: 'y' },
      { 'FOO-BAR': '1', 'spring.datasource.url': 'jdbc', '': 'x', EMPTY: '', LINES: 'a\nb', ['__proto__']: 'y' },
    ],
    [
      'npm run',
      {
        PATH: '/app/node_modules/.bin:/bin',
        INIT_CWD: '/app',
        npm_lifecycle_event: 'dev',
        npm_config_user_agent: 'npm/10',
        'npm_config_//registry/:_authToken': 't',
        npm_package_json: '/app/package.json',
        NPM_TOKEN: 'kept',
        NODE: '/usr/bin/node',
      },
      { PATH: '/app/node_modules/.bin:/bin', NPM_TOKEN: 'kept', NODE: '/usr/bin/node' },
    ],
    [
      'pnpm exec, yarn run and node --run',
      {
        PNPM_SCRIPT_SRC_DIR: '/app',
        PNPM_HOME: '/p',
        BERRY_BIN_FOLDER: '/tmp/xfs',
        NODE_RUN_SCRIPT_NAME: 'dev',
        NODE_RUN_PACKAGE_JSON_PATH: '/app/package.json',
      },
      { PNPM_HOME: '/p' },
    ],
    [
      'a Node parent with IPC and a cluster',
      { NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'json', NODE_UNIQUE_ID: '1', NODE_ENV: 'test' },
      { NODE_ENV: 'test' },
    ],
    [
      "VS Code's debugger",
      {
        NODE_OPTIONS: ' --require "/h/.vscode/ms-vscode.js-debug/src/bootloader.js"  --inspect-publish-uid=http',
        VSCODE_INSPECTOR_OPTIONS: ':::{}',
        VSCODE_PID: '1',
      },
      { VSCODE_PID: '1' },
    ],
    [
      'bundle exec',
      {
        BUNDLE_GEMFILE: 'gemfiles/rails.gemfile',
        BUNDLE_BIN_PATH: '/b',
        BUNDLER_VERSION: '2.5',
        BUNDLE_LOCKFILE: 'l',
        BUNDLE_WITHOUT: 'test',
        BUNDLER_ORIG_PATH: '/bin',
        PATH: '/gems/bin:/bin',
        BUNDLER_ORIG_RUBYOPT: 'BUNDLER_ENVIRONMENT_PRESERVER_INTENTIONALLY_NIL',
        RUBYOPT: '-rbundler/setup',
        BUNDLER_ORIG_BUNDLE_GEMFILE: 'BUNDLER_ENVIRONMENT_PRESERVER_INTENTIONALLY_NIL',
      },
      { BUNDLE_GEMFILE: '/srv/app/gemfiles/rails.gemfile', BUNDLE_WITHOUT: 'test', PATH: '/bin' },
    ],
    [
      'bundler with an empty Gemfile variable',
      { BUNDLE_GEMFILE: '', BUNDLER_ORIG_BUNDLE_GEMFILE: 'before' },
      { BUNDLE_GEMFILE: 'before' },
    ],
    [
      'systemd',
      { LISTEN_FDS: '1', LISTEN_PID: '7', LISTEN_FDNAMES: 'x', WATCHDOG_USEC: '1', NOTIFY_SOCKET: '/run/n', UNIT: 'u' },
      { NOTIFY_SOCKET: '/run/n', UNIT: 'u' },
    ],
    [
      'an outer woods-watch',
      {
        WOODS_WATCH_EVENT_FD: '9',
        WOODS_WATCH_EVENT_SOCKET: '/tmp/outer',
        WOODS_WATCH_EVENT_LATER: 'x',
        WOODS_WATCH_LAUNCHER_TOKEN: 'outer',
        WOODS_WATCH_ATTEMPT_TOKEN: 'outer',
        WOODS_WATCH_DEBOUNCE: '0.2',
      },
      { WOODS_WATCH_DEBOUNCE: '0.2', WOODS_WATCH_OUTER_ATTEMPT_outer: '1' },
    ],
    [
      'two of them',
      { WOODS_WATCH_ATTEMPT_TOKEN: 'inner', WOODS_WATCH_OUTER_ATTEMPT_outer: '1' },
      { WOODS_WATCH_OUTER_ATTEMPT_inner: '1', WOODS_WATCH_OUTER_ATTEMPT_outer: '1' },
    ],
    ['an outer supervisor with a token that is none', { WOODS_WATCH_ATTEMPT_TOKEN: 'a=b' }, {}],
  ])('under %s', (_, inherited, expected) => {
    expect(build(inherited)).toEqual({ ...ALWAYS, ...expected });
  });

  it('leaves the socket out where there is none, also that of an outer supervisor', () => {
    const environment = childEnvironment({
      inherited: { WOODS_WATCH_EVENT_SOCKET: '/tmp/outer' },
      root: ROOT,
      supervision: { ...SUPERVISION, eventSocket: null },
      overrides: [],
    });
    expect(environment).not.toHaveProperty('WOODS_WATCH_EVENT_SOCKET');
  });

  it('lets --env and --unset have the last word, in their order', () => {
    const environment = build({ A: '1', B: '1', npm_config_x: '1' }, [
      { set: 'npm_config_x', value: 'mine' },
      { unset: 'A' },
      { unset: 'B' },
      { set: 'B', value: 'x=y' },
      { set: 'PWD', value: '/mine' },
    ]);
    expect(environment).toEqual({ ...ALWAYS, npm_config_x: 'mine', B: 'x=y', PWD: '/mine' });
  });
});

describe('NODE_OPTIONS', () => {
  it.each([
    ['--max-old-space-size=4096 --inspect', '--max-old-space-size=4096'],
    ['--inspect-brk=0.0.0.0:9229 --enable-source-maps', '--enable-source-maps'],
    ['--inspect-port 9230 --enable-source-maps', '--enable-source-maps'],
    ['--require ./mine.js --require tsx', '--require ./mine.js'],
    ['-r ts-node/register -r "./with space.js"', '-r "./with space.js"'],
    [
      '--import=tsx/esm --import "file:///a/node_modules/tsx/dist/loader.mjs" --import ./mine.mjs',
      '--import ./mine.mjs',
    ],
    ['--require /a/node_modules/.pnpm/tsx@4.1.0/node_modules/tsx/dist/preflight.cjs --no-warnings', '--no-warnings'],
    ['--loader ts-node/esm --conditions=x', '--conditions=x'],
    ['--require "C:\\\\js-debug\\\\bootloader.bundle.js"', ''],
    ['--require ./tsx', '--require ./tsx'],
    ['--import=file:///srv/my%20app/node_modules/ts-node/esm.mjs --title=x', '--title=x'],
    ['--import=file:///src/ts-node/esm --require /src/tsx/dist/preflight.cjs', ''],
    [
      '--require /home/u/tsx/mine.js --import /ts-node/mine.mjs',
      '--require /home/u/tsx/mine.js --import /ts-node/mine.mjs',
    ],
    ['--experimental-loader=tsx --loader "ts-node/esm/transpile-only"', ''],
    ['--inspect-wait --inspect_brk=1 --inspect-brk-node --inspect_port 2 --debug-port 3 --debug-port=4', ''],
    ['--max_old_space_size=64 --max-semi-space-size 2', '--max_old_space_size=64 --max-semi-space-size 2'],
    [' --require "/h/Application Support/ws/ms-vscode.js-debug/bootloader.js"  --inspect-publish-uid=http', ''],
    ['--require /e/ms-vscode.js-debug-nightly-2024.1.1/src/bootloader.bundle.js', ''],
    ['--require /tmp/vscode-js-debug-bootloader.js -r ./.vscode-js-debug-bootloader.js', ''],
    ['--require ./bootloader.js -r /js-debugger.js', '--require ./bootloader.js -r /js-debugger.js'],
    [
      '--require /srv/.pnp.cjs --experimental-loader file:///srv/.pnp.loader.mjs',
      '--require /srv/.pnp.cjs --experimental-loader file:///srv/.pnp.loader.mjs',
    ],
    ['--title="--inspect is \\"fine\\" here"', '--title="--inspect is \\"fine\\" here"'],
    ['--require "./open', '--require "./open'],
    ['', ''],
  ])('%s becomes %s', (before, after) => {
    expect(cleanNodeOptions(before)).toBe(after);
  });

  it('keeps what no parent injected, word for word', () => {
    const word = fc.stringMatching(/^--[a-hj-z][a-z-]{0,10}(=("[a-z ]{0,6}x"|[a-z0-9/.]{1,8}))?$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        fc.pre(!words.some((one) => /^--(require|import|loader|experimental-loader)/.test(one)));
        expect(cleanNodeOptions(['--inspect', ...words, '--inspect=1:2'].join(' '))).toBe(words.join(' '));
      }),
    );
  });
});
