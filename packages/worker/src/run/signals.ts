const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `stop` at the first signal that asks for it. A second one ends the process at once: what is left behind then is
 * what a kill leaves, which is safe. Returns how to give the signals back.
 */
export function onStopSignals(stop: (signal: NodeJS.Signals) => void): () => void {
  let asked = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(1);
    asked = true;
    stop(signal);
  };
  for (const signal of STOPPING) process.on(signal, listener);
  return () => {
    for (const signal of STOPPING) process.off(signal, listener);
  };
}
