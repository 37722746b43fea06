/**
 * Where the supervisor stands. The first line is an attempt coming up, the second a child that speaks, the third what
 * follows an attempt.
 */
export type State =
  | 'idle'
  | 'arming'
  | 'spawning'
  | 'starting'
  | 'booting'
  | 'identified'
  | 'reconciling'
  | 'ready'
  | 'degraded'
  | 'stopping'
  | 'retrying'
  | 'parked'
  | 'stopped';

/** The signals by which an owner stops us. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';
