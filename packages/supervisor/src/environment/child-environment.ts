import { leaveBundler } from './bundler.ts';
import type { Environment } from './environment.ts';
import { leaveNode } from './node.ts';
import { leaveServiceManager } from './service-manager.ts';
import { enterSupervision, type Supervision } from './supervision.ts';

/** `--env` and `--unset`, in the order in which they were given. */
export type Override = { readonly set: string; readonly value: string } | { readonly unset: string };

/**
 * Builds the exact environment of a child: what we inherited, without what only describes how *we* were started, with
 * the supervision variables and `PWD`, and the user's overrides last. Nothing else is added and nothing is inherited
 * beside it.
 */
export function childEnvironment(input: {
  inherited: Readonly<Record<string, string | undefined>>;
  root: string;
  supervision: Supervision;
  overrides: readonly Override[];
}): Record<string, string> {
  const environment: Environment = new Map();
  for (const [name, value] of Object.entries(input.inherited)) if (value !== undefined) environment.set(name, value);
  leaveBundler(environment, input.root);
  leaveNode(environment);
  leaveServiceManager(environment);
  enterSupervision(environment, input.supervision);
  environment.set('PWD', input.root);
  for (const override of input.overrides) {
    if ('set' in override) environment.set(override.set, override.value);
    else environment.delete(override.unset);
  }
  return Object.fromEntries(environment);
}
