import type { Environment } from './environment.ts';
import { cleanNodeOptions } from './node-options.ts';

/** Variables that describe the npm script, the IPC channel or the debugger session that started us, and nothing else. */
const ABOUT_OUR_PARENT = [
  'INIT_CWD',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'NODE_RUN_SCRIPT_NAME',
  'NODE_RUN_PACKAGE_JSON_PATH',
  'VSCODE_INSPECTOR_OPTIONS',
  'BERRY_BIN_FOLDER',
  'PNPM_SCRIPT_SRC_DIR',
];

/** Removes what npm, pnpm, yarn, `node --run`, a cluster parent or a debugger put into our own environment. */
export function leaveNode(environment: Environment): void {
  for (const name of [...environment.keys()]) if (name.startsWith('npm_')) environment.delete(name);
  for (const name of ABOUT_OUR_PARENT) environment.delete(name);
  const options = environment.get('NODE_OPTIONS');
  if (options === undefined) return;
  const cleaned = cleanNodeOptions(options);
  if (cleaned === '') environment.delete('NODE_OPTIONS');
  else environment.set('NODE_OPTIONS', cleaned);
}
