import type { Cancel, Clock } from '../clock/clock.ts';

/** The status file is written again this often. It is the only timer of an idle supervisor. */
const HEARTBEAT_MS = 5_000;

export function startHeartbeat(clock: Clock, beat: () => void): Cancel {
  let cancel: Cancel = () => {};
  const wait = (): void => {
    cancel = clock.after(HEARTBEAT_MS, () => {
      wait();
      beat();
    });
  };
  wait();
  return () => cancel();
}
