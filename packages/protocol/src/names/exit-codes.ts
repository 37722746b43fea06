/** Exit codes of every binary of ours; the numbers are part of the contract with shells, Procfile runners and the gem. */
export const EXIT = {
  ok: 0,
  /** Usage, platform or configuration error, before anything was started. */
  usage: 2,
  /** `EX_TEMPFAIL`: boot-captured state changed, start me again. */
  restart: 75,
  /** Parked, with `--exit-on-park`. */
  parked: 78,
  /** Found, but not executable; as shells have it. */
  notExecutable: 126,
  /** The command could not be found or executed. */
  notFound: 127,
} as const;

/** The exit code that stands for a death by signal number `signal` (1–64), as shells report it. */
export function signalExitCode(signal: number): number {
  return 128 + signal;
}
