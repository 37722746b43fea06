import { performance } from 'node:perf_hooks';

/** Where the time of a run goes. Each moment belongs to one phase, so the phases add up to the whole. */
export interface Phases {
  /** From now on time is spent on `name`; a phase may come again. */
  enter(name: string): void;
  /** Milliseconds by phase, in the order in which they first came, and the total. */
  finish(): { readonly phases: [string, number][]; readonly durationMs: number };
}

/** Starts in the phase `other`. */
export function startPhases(now: () => number = () => performance.now()): Phases {
  const spent = new Map<string, number>();
  const start = now();
  let current = 'other';
  let since = start;
  const settle = () => {
    const at = now();
    spent.set(current, (spent.get(current) ?? 0) + at - since);
    since = at;
  };
  return {
    enter(name) {
      if (name === current) return;
      settle();
      current = name;
    },
    finish() {
      settle();
      return { phases: [...spent], durationMs: since - start };
    },
  };
}
