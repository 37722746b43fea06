import { findRoot, refuseIdleTimeout } from '@woods/protocol';
import type { Options } from '../arguments/options.ts';
import { EVENT_FD } from '../attempt/event-fd.ts';
import { bundledWorker } from '../command/bundled-worker.ts';
import { lookupCommand } from '../command/lookup.ts';
import { childEnvironment } from '../environment/child-environment.ts';
import type { Plan } from './plan.ts';

/**
 * Makes a plan of the options: resolves the root and finds the command. Throws UsageError for whatever would only fail
 * later; nothing has been started by then.
 */
export function preparePlan(
  options: Options,
  place: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Plan {
  const { root } = findRoot({ cwd: place.cwd, ...(options.root === null ? {} : { root: options.root }) });
  const { overrides, command } = options;
  // what the child will see, whatever bundler's undoing, --env and --unset make of ours; the tokens do not matter yet
  const supervision = { launcher: '', attempt: '', eventFd: EVENT_FD, eventSocket: null };
  const environment = childEnvironment({ inherited: place.env, root, supervision, overrides });
  refuseIdleTimeout(environment);
  return {
    root,
    command: command === null ? bundledWorker() : lookupCommand({ argv: command, root, path: environment.PATH }),
    policy: {
      bootTimeoutMs: options.bootTimeoutMs,
      exitOnPark: options.exitOnPark,
      maxFailures: options.maxFailures,
    },
    graceMs: options.shutdownTimeoutMs,
    inherited: place.env,
    overrides,
  };
}
