/**
 * Where the supervisor stands: an attempt coming up, a child that speaks, one that has said its last word, and what
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
  | 'leaving'
  | 'overdue'
  | 'stopping'
  | 'retrying'
  | 'parked'
  | 'stopped';

/** The signals by which an owner stops us. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';
