import type { Clock } from '../clock/clock.ts';
import type { GuardianOptions } from './options.ts';
import { type GuardianProcess, startGuardian } from './process.ts';

/** What has to be ended when we die: everything with the token, and the group of the registered leader. */
export interface Guardian {
  /** Resolves when the guardian will end what carries `token`. Rejects with a one-line reason when none can be had. */
  arm(token: string): Promise<void>;
  /** `start` in clock ticks since boot, '' when not known. */
  register(leader: { pid: number; start: string }): void;
  /** The tree is gone: there is nothing to end. */
  release(): void;
  /** Dismisses it; resolves when it has ended, or after a moment. */
  close(): Promise<void>;
}

interface Charge {
  token: string | null;
  leader: { pid: number; start: string } | null;
}

const FIRST_REPLACEMENT_MS = 10;
const LAST_REPLACEMENT_MS = 10_000;
const DISMISSAL_MS = 500;

/**
 * Keeps one guardian alive for all attempts of this supervisor. One that dies is replaced, armed and told the leader
 * again; `onReplaced` is called when the new one has acknowledged that. Replacements that fail are spaced out.
 */
export function keepGuardian(options: GuardianOptions, onReplaced: () => void): Guardian {
  const charge: Charge = { token: null, leader: null };
  let current: GuardianProcess | null = null;
  let closed = false;
  let delayMs = FIRST_REPLACEMENT_MS;

  function start(): GuardianProcess {
    const guardian = startGuardian(options);
    current = guardian;
    void guardian.ended.then(() => {
      if (current !== guardian) return;
      current = null;
      if (!closed) replaceSoon();
    });
    return guardian;
  }

  function replaceSoon(): void {
    options.clock.after(delayMs, () => {
      if (closed || current !== null) return;
      delayMs = Math.min(delayMs * 4, LAST_REPLACEMENT_MS);
      replace().then(onReplaced, () => {
        if (!closed && current === null) replaceSoon();
      });
    });
  }

  async function replace(): Promise<void> {
    const guardian = start();
    const told: Promise<void>[] = [];
    if (charge.token !== null) told.push(ask(guardian, `arm ${charge.token}`));
    if (charge.leader !== null) told.push(ask(guardian, registration(charge.leader)));
    if (told.length === 0) told.push(ask(guardian, 'release'));
    await Promise.all(told);
    delayMs = FIRST_REPLACEMENT_MS;
  }

  /** A guardian that does not answer guards nothing: it is ended, which brings its replacement. */
  async function ask(guardian: GuardianProcess, command: string): Promise<void> {
    try {
      await guardian.say(command);
    } catch (error) {
      guardian.kill();
      throw error;
    }
  }

  return {
    async arm(token) {
      charge.token = token;
      charge.leader = null;
      await ask(current ?? start(), `arm ${token}`);
      delayMs = FIRST_REPLACEMENT_MS;
    },
    register(leader) {
      charge.leader = leader;
      if (current !== null) ask(current, registration(leader)).catch(() => {});
    },
    release() {
      charge.token = null;
      charge.leader = null;
      if (current !== null) ask(current, 'release').catch(() => {});
    },
    async close() {
      closed = true;
      const guardian = current;
      if (guardian === null) return;
      guardian.dismiss();
      await settledWithin(options.clock, DISMISSAL_MS, guardian.ended);
      // one that still has something to end may take its time after us
      if (charge.token === null) guardian.kill();
    },
  };
}

function registration(leader: { pid: number; start: string }): string {
  return `register ${leader.pid} ${leader.start}`;
}

function settledWithin(clock: Clock, ms: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    void promise.then(() => {
      cancel();
      resolve();
    });
  });
}
