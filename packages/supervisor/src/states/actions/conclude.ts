import type { Decision } from '../decision.ts';
import type { Moment, Step } from '../transition.ts';

/**
 * Every attempt ends here, whatever ended it: its tree is stopped and swept first, and only then the decision is
 * carried out. That an attempt may not have started anything makes the sweep short, not superfluous.
 */
export function conclude(moment: Moment, decision: Decision): Step {
  return {
    state: 'stopping',
    context: { ...moment.context, decision },
    effects: [{ do: 'stop_timer', timer: 'boot' }, { do: 'stop_timer', timer: 'leave' }, { do: 'stop_tree' }],
  };
}
