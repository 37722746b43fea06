/** Whole streams, good and bad, through framing and validator together, cut at any byte. */
import type { ChildEvent, StartupReason } from '@woods/protocol';
import { encodeRecord } from '@woods/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { envelope, ROOT, validatorAfter } from './support/attempt.ts';
import { cutAt, receive } from './support/channel.ts';

const numRuns = rounds({ ci: 300, soak: 20_000 });

const generation = fc.nat();
const degradedReasons: StartupReason[] = [
  'startup_failed',
  'pending_work',
  'restart_required',
  'no_index',
  'catch_up_disabled',
];
const startup: fc.Arbitrary<ChildEvent> = fc.oneof(
  generation.map((n): ChildEvent => ({ event: 'startup', state: 'ready', generation: n + 1, reason: 'reconciled' })),
  fc
    .record({ reason: fc.constantFrom(...degradedReasons), generation })
    .map((fields): ChildEvent => ({ event: 'startup', state: 'degraded', ...fields })),
);
const index = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
  .map((names) => `/${names.map((name) => name.replaceAll(/[/\0]|^\.+$/g, '_')).join('/')}`);

/** What a good child may say, from nothing to a full life. */
const goodLife: fc.Arbitrary<ChildEvent[]> = fc
  .record({
    index,
    startups: fc.array(startup, { maxLength: 8 }),
    length: fc.nat({ max: 4 }),
    terminal: fc.constantFrom(
      null,
      'restart_required',
      'already_running',
      'stopped',
      'idle',
      'unsupported_environment',
    ),
  })
  .map(({ index, startups, length, terminal }) => {
    const boot: ChildEvent[] = [
      { event: 'task_loaded', woods_version: '2.0.0' },
      { event: 'identity', root: ROOT, index },
      { event: 'backend_ready' },
      ...startups,
    ];
    const said = length === 4 ? boot : boot.slice(0, length);
    const last: ChildEvent[] = terminal === null || said.length === 0 ? [] : [{ event: 'terminal', reason: terminal }];
    return [...said, ...last];
  });

const cuts = fc.array(fc.nat({ max: 6000 }), { maxLength: 40 });

function encode(events: readonly ChildEvent[]): Buffer {
  return Buffer.from(events.map((event) => encodeRecord(envelope, event)).join(''));
}

/** What reader and validator together make of the bytes: the events taken, and the reason that ended it, or null. */
async function judge(chunks: Buffer[]): Promise<{ events: ChildEvent[]; reason: string | null }> {
  const { values, refusal } = await receive(chunks);
  const validator = validatorAfter();
  const events: ChildEvent[] = [];
  for (const value of values) {
    const verdict = validator.child(value);
    if (!verdict.ok) return { events, reason: verdict.reason };
    events.push(verdict.event);
  }
  return { events, reason: refusal?.reason ?? null };
}

/** One way to spoil a stream; says which records before the fault must still be taken, and the reasons it may have. */
interface Spoilt {
  readonly bytes: Buffer;
  readonly taken: readonly ChildEvent[];
  readonly reasons: readonly string[];
}

/** Null when this life cannot be spoilt in this way. */
type Spoil = (life: readonly ChildEvent[], at: number) => Spoilt | null;

const spoils: Record<string, Spoil> = {
  over_long: (life, at) => spliced(life, at, Buffer.from(`{"pad":"${'x'.repeat(4096)}"}\n`), ['line_too_long']),
  ten_megabytes: (life, at) => spliced(life, at, Buffer.alloc(10_000_000, '{'), ['line_too_long']),
  invalid_encoding: (life, at) => spliced(life, at, Buffer.from('{"a":"\xff"}\n', 'latin1'), ['invalid_encoding']),
  empty: (life, at) => spliced(life, at, Buffer.from('\n'), ['empty_line']),
  bare: (life, at) => spliced(life, at, Buffer.from('null\n'), ['not_an_object']),
  garbage: (life, at) => spliced(life, at, Buffer.from('{"version":1,\n'), ['not_json']),
  foreign_launcher: (life, at) => respoken(life, at, { ...envelope, launcher: 'f'.repeat(32) }, ['foreign_launcher']),
  foreign_attempt: (life, at) => respoken(life, at, { ...envelope, attempt: 'f'.repeat(32) }, ['foreign_attempt']),
  foreign_pid: (life, at) => respoken(life, at, { ...envelope, pid: 999 }, ['foreign_pid', 'pid_changed']),
  truncated: (life, at) => {
    const whole = encode(life.slice(0, at + 1));
    return { bytes: whole.subarray(0, whole.length - 1), taken: life.slice(0, at), reasons: ['truncated_line'] };
  },
  twice: (life, at) => {
    const boot = life.findIndex(({ event }) => event === 'task_loaded');
    const again = encode(life.slice(boot, boot + 1));
    return spliced(life, at + 1, again, ['out_of_order', 'after_terminal']);
  },
  left_out: (life, at) => {
    const order = ['task_loaded', 'identity', 'backend_ready'];
    const name = order[Math.min(at, 2)];
    const position = life.findIndex(({ event }) => event === name);
    const rest = life.slice(position + 1).filter(({ event }) => event !== 'terminal' || name === 'task_loaded');
    if (position === -1 || rest.length === 0) return null;
    const taken = life.slice(0, position);
    return { bytes: encode([...taken, ...rest]), taken, reasons: ['out_of_order'] };
  },
};

function spliced(life: readonly ChildEvent[], at: number, bad: Buffer, reasons: string[]): Spoilt {
  const taken = life.slice(0, at);
  return { bytes: Buffer.concat([encode(taken), bad, encode(life.slice(at))]), taken, reasons };
}

function respoken(life: readonly ChildEvent[], at: number, by: typeof envelope, reasons: string[]): Spoilt {
  const taken = life.slice(0, at);
  const bad = Buffer.from(
    life
      .slice(at, at + 1)
      .map((event) => encodeRecord(by, event))
      .join(''),
  );
  return { bytes: Buffer.concat([encode(taken), bad, encode(life.slice(at + 1))]), taken, reasons };
}

describe('streams of records', () => {
  it('are taken whole when they are good, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(goodLife, cuts, async (life, places) => {
        expect(await judge(cutAt(encode(life), places))).toEqual({ events: life, reason: null });
      }),
      { numRuns },
    );
  });

  it('are taken the same when they are cut at every single byte', async () => {
    const life: ChildEvent[] = [
      { event: 'task_loaded', woods_version: '2.0.0' },
      { event: 'identity', root: ROOT, index: '/srv/app/🌲' },
      { event: 'terminal', reason: 'stopped' },
    ];
    const bytes = encode(life);
    for (let place = 0; place <= bytes.length; place++) {
      expect(await judge(cutAt(bytes, [place]))).toEqual({ events: life, reason: null });
    }
    const bytewise = Array.from(bytes.keys());
    expect(await judge(cutAt(bytes, bytewise))).toEqual({ events: life, reason: null });
  });

  it.each(Object.keys(spoils))('are taken up to the fault, and then refused: %s', async (name) => {
    const spoil = spoils[name];
    if (spoil === undefined) throw new Error(name);
    await fc.assert(
      fc.asyncProperty(
        goodLife.filter((life) => life.length > 0),
        fc.nat(),
        cuts,
        async (life, where, places) => {
          const spoilt = spoil(life, where % life.length);
          fc.pre(spoilt !== null);
          const judged = await judge(cutAt(spoilt.bytes, places));
          expect(judged.events).toEqual(spoilt.taken);
          expect(spoilt.reasons).toContain(judged.reason);
        },
      ),
      { numRuns: name === 'ten_megabytes' ? 20 : numRuns },
    );
  });

  it('of nothing but noise are refused or empty, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 9000 }), cuts, async (noise, places) => {
        const judged = await judge(cutAt(Buffer.from(noise), places));
        expect(judged.events).toEqual([]);
        expect(judged.reason).toMatch(/^[a-z_]{1,80}$/);
      }),
      { numRuns },
    );
  });
});
