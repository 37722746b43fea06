import { createContext, runInContext } from 'node:vm';
import { errnoOf } from '@woods/protocol';

/**
 * Runs `action` and ends it after `ms`, also inside a regular expression that backtracks for ever, which no check in
 * between could notice. What it did until then
 * stands. Null: no limit.
 */
export function runWithin(ms: number | null, action: () => void): 'done' | 'out_of_time' {
  if (ms === null) {
    action();
    return 'done';
  }
  try {
    runInContext('action()', createContext({ action }), { timeout: ms });
    return 'done';
  } catch (error) {
    if (errnoOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'out_of_time';
    throw error;
  }
}
