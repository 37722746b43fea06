/**
 * What package managers add to the environment of what they run. Taken down from real runs of the versions named here, in
 * a package `orchard` at `ROOT` with the script `watch`; the managers themselves need not be installed for a test. Values
 * that are nobody's business (registries, certificates) are left out, and a token for a registry is added, since npm hands
 * one on that stands in its configuration.
 */
export const ROOT = '/srv/orchard';
const PACKAGE = {
  npm_package_name: 'orchard',
  npm_package_version: '1.2.3',
  npm_lifecycle_event: 'watch',
  npm_lifecycle_script: 'woods-watch',
  npm_node_execpath: '/usr/bin/node',
  npm_command: 'run-script',
  'npm_config_//registry.example/:_authToken': 'secret',
};

export interface ManagerRun {
  readonly adds: Readonly<Record<string, string>>;
  /** What of it is a child's as well. */
  readonly stays: Readonly<Record<string, string>>;
}

/** `stays` is spelled out, so that a rule that removes too much or too little is seen. */
export const MANAGER_RUNS: Readonly<Record<string, ManagerRun>> = {
  'pnpm run (9.15.9)': {
    adds: {
      ...PACKAGE,
      npm_config_user_agent: 'pnpm/9.15.9 npm/? node/v20.20.2 linux x64',
      npm_config_frozen_lockfile: '',
      npm_config_node_gyp: '/opt/pnpm/dist/node_modules/node-gyp/bin/node-gyp.js',
      npm_package_private: 'true',
      npm_package_scripts_watch: 'woods-watch',
      npm_execpath: '/opt/pnpm/bin/pnpm.cjs',
      NODE: '/usr/bin/node',
      PATH: `${ROOT}/node_modules/.bin:/opt/pnpm/dist/node-gyp-bin:/usr/bin:/bin`,
      PNPM_SCRIPT_SRC_DIR: ROOT,
      INIT_CWD: ROOT,
    },
    stays: { NODE: '/usr/bin/node', PATH: `${ROOT}/node_modules/.bin:/opt/pnpm/dist/node-gyp-bin:/usr/bin:/bin` },
  },
  'pnpm exec (9.15.9)': {
    adds: {
      npm_command: 'exec',
      npm_config_user_agent: 'pnpm/9.15.9 npm/? node/v20.20.2 linux x64',
      PNPM_PACKAGE_NAME: 'orchard',
      PATH: './node_modules/.bin:/usr/bin:/bin',
    },
    stays: { PNPM_PACKAGE_NAME: 'orchard', PATH: './node_modules/.bin:/usr/bin:/bin' },
  },
  'pnpm run (10.34.9)': {
    adds: {
      ...PACKAGE,
      npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v20.20.2 linux x64',
      npm_config_verify_deps_before_run: 'false',
      npm_config__jsr_registry: 'https://npm.jsr.io/',
      npm_config_globalconfig: '/root/.config/pnpm/rc',
      npm_package_json: `${ROOT}/package.json`,
      npm_execpath: '/opt/pnpm/bin/pnpm.cjs',
      pnpm_config_verify_deps_before_run: 'false',
      NODE: '/usr/bin/node',
      PATH: `${ROOT}/node_modules/.bin:/opt/pnpm/dist/node-gyp-bin:/usr/bin:/bin`,
      PNPM_SCRIPT_SRC_DIR: ROOT,
      INIT_CWD: ROOT,
    },
    stays: {
      NODE: '/usr/bin/node',
      PATH: `${ROOT}/node_modules/.bin:/opt/pnpm/dist/node-gyp-bin:/usr/bin:/bin`,
      pnpm_config_verify_deps_before_run: 'false',
    },
  },
  'pnpm exec (10.34.9)': {
    adds: {
      npm_command: 'exec',
      npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v20.20.2 linux x64',
      npm_config_verify_deps_before_run: 'false',
      pnpm_config_verify_deps_before_run: 'false',
      PNPM_PACKAGE_NAME: 'orchard',
      PATH: './node_modules/.bin:/usr/bin:/bin',
    },
    stays: {
      PNPM_PACKAGE_NAME: 'orchard',
      pnpm_config_verify_deps_before_run: 'false',
      PATH: './node_modules/.bin:/usr/bin:/bin',
    },
  },
  'yarn run (1.22.22)': {
    adds: {
      ...PACKAGE,
      npm_config_user_agent: 'yarn/1.22.22 npm/? node/v20.20.2 linux x64',
      npm_config_argv: '{"remain":[],"cooked":["run","watch"],"original":["run","watch"]}',
      npm_config_version_git_message: 'v%s',
      npm_config_save_prefix: '^',
      npm_execpath: '/opt/yarn/bin/yarn.js',
      NODE: '/usr/bin/node',
      YARN_WRAP_OUTPUT: 'false',
      PATH: `/tmp/yarn--1796100486627-0.326:${ROOT}/node_modules/.bin:/usr/bin:/bin`,
      INIT_CWD: ROOT,
    },
    stays: {
      NODE: '/usr/bin/node',
      YARN_WRAP_OUTPUT: 'false',
      PATH: `/tmp/yarn--1796100486627-0.326:${ROOT}/node_modules/.bin:/usr/bin:/bin`,
    },
  },
  'yarn run (4.18.1)': {
    adds: {
      npm_config_user_agent: 'yarn/4.18.1 npm/? node/v20.20.2 linux x64',
      npm_package_name: 'orchard',
      npm_package_version: '1.2.3',
      npm_package_json: `${ROOT}/package.json`,
      npm_lifecycle_event: 'watch',
      npm_node_execpath: '/tmp/xfs-33d0a4c8/node',
      npm_execpath: '/tmp/xfs-33d0a4c8/yarn',
      BERRY_BIN_FOLDER: '/tmp/xfs-33d0a4c8',
      PROJECT_CWD: ROOT,
      PATH: '/tmp/xfs-33d0a4c8:/usr/bin:/bin',
      INIT_CWD: ROOT,
    },
    stays: { PROJECT_CWD: ROOT, PATH: '/tmp/xfs-33d0a4c8:/usr/bin:/bin' },
  },
};
