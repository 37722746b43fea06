import type { Environment } from './environment.ts';

/**
 * Removes socket activation and watchdog variables: they name descriptors and a process that are ours, not the child's.
 * NOTIFY_SOCKET stays, since a child may speak for the unit.
 */
export function leaveServiceManager(environment: Environment): void {
  for (const name of [...environment.keys()]) {
    if (name.startsWith('LISTEN_') || name.startsWith('WATCHDOG_')) environment.delete(name);
  }
}
