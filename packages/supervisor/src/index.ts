/**
 * woods-watch: runs a command in the foreground, starts it again when it fails, says how it stands, and leaves no
 * process behind, even when it is itself killed with SIGKILL.
 *
 * An attempt is one start of the command. Its life is told by events (the guardian is armed, the command is spawned, its
 * records, its end, signals, timers), and one total table says for every state what an event leads to: a new state, and
 * effects that are carried out at the edge. The table is pure; clock, processes and signals are injected.
 *
 * The guardian is a small shell script in a session of its own, which knows what has to be ended when its pipe closes:
 * whatever carries the attempt's token in its environment. It is armed before anything is started. Stopping works by the
 * same rule and is done when the process group is empty, not when its leader is gone.
 *
 * Rooms, in the order of a life: `arguments/` the command line, `command/` what to run, `environment/` what the child
 * sees, `guardian/`, `attempt/` from arming to the last record, `states/` the table, `stop/`, `orphans/` what lost its
 * parent and came to us, `signals/`, `status/` what others can read, `log/` our own lines, `clock/` time that a suspension
 * does not spend, `run/` where all meet.
 */
export type { Clock } from './clock/clock.ts';
export type { Plan } from './run/plan.ts';
export { type Edge, supervise } from './run/supervise.ts';
