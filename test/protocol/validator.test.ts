import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createRecordValidator, type OwnerEvent, type RecordValidator } from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT,
  CHILD,
  DESCENDANT,
  envelope,
  GOOD,
  type GoodName,
  LAUNCHER,
  newValidator,
  ROOT,
  record,
  validatorAfter,
} from './support/attempt.ts';
import { temporaryDirectory } from './support/directory.ts';

/** Each row is a record that breaks exactly one rule, and the same record without the fault is accepted. */
interface Row {
  rule: string;
  after: GoodName[];
  bad: unknown;
  good: unknown;
  reason: string;
}

const identified: GoodName[] = ['task_loaded', 'identity'];
const watching: GoodName[] = [...identified, 'backend_ready'];

const before: Record<GoodName, GoodName[]> = {
  task_loaded: [],
  identity: ['task_loaded'],
  backend_ready: identified,
  startup: watching,
  terminal: watching,
};

function startup(fields: Record<string, unknown>): Record<string, unknown> {
  return { ...GOOD.startup, ...fields };
}

const rows: Row[] = [
  {
    rule: 'a record is an object',
    after: [],
    bad: [GOOD.task_loaded],
    good: GOOD.task_loaded,
    reason: 'not_an_object',
  },
  { rule: 'null is no record', after: [], bad: null, good: GOOD.task_loaded, reason: 'not_an_object' },
  ...envelopeRow('version', 2, 'bad_version'),
  ...envelopeRow('version', '1', 'bad_version'),
  ...envelopeRow('version', undefined, 'bad_version'),
  ...envelopeRow('launcher', 'c'.repeat(32), 'foreign_launcher'),
  ...envelopeRow('launcher', LAUNCHER.toUpperCase(), 'foreign_launcher'),
  ...envelopeRow('launcher', ATTEMPT, 'foreign_launcher'),
  ...envelopeRow('launcher', undefined, 'foreign_launcher'),
  ...envelopeRow('attempt', 'c'.repeat(32), 'foreign_attempt'),
  ...envelopeRow('attempt', LAUNCHER, 'foreign_attempt'),
  ...envelopeRow('pid', 0, 'bad_pid'),
  ...envelopeRow('pid', -200, 'bad_pid'),
  ...envelopeRow('pid', 200.5, 'bad_pid'),
  ...envelopeRow('pid', '200', 'bad_pid'),
  ...envelopeRow('pid', null, 'bad_pid'),
  ...envelopeRow('pid', 201, 'foreign_pid'),
  ...envelopeRow('event', 'ready', 'unknown_event'),
  ...envelopeRow('event', 'toString', 'unknown_event'),
  ...envelopeRow('event', undefined, 'unknown_event'),
  ...['hello', 'spawned', 'spawn_error', 'exit'].flatMap((event) => envelopeRow('event', event, 'owner_event')),

  ...fieldRow('task_loaded', 'woods_version', [2, '', 'two', '2.0 beta', undefined, `1.${'0'.repeat(64)}`, '2.0.0\n']),
  ...fieldRow('identity', 'root', ['srv/app', '/srv/app/', '/srv/../srv/app', '/srv//app', '', null, '/srv/app\0']),
  ...fieldRow('identity', 'index', ['tmp/woods', '/srv/app/tmp/woods/', '/srv/./app', 7, undefined, '/a\ud800']),
  ...fieldRow('startup', 'state', ['running', null, undefined]),
  ...fieldRow('startup', 'generation', [-1, 1.5, '3', null, 2 ** 53]),
  ...fieldRow('startup', 'reason', ['boot_pending', 'RECONCILED', '', undefined]),
  ...fieldRow('terminal', 'reason', ['reconciled', 'crashed', null]),

  {
    rule: 'ready needs a generation',
    after: watching,
    bad: startup({ generation: 0 }),
    good: startup({ generation: 1 }),
    reason: 'bad_startup',
  },
  {
    rule: 'ready needs reconciled',
    after: watching,
    bad: startup({ reason: 'no_index' }),
    good: GOOD.startup,
    reason: 'bad_startup',
  },
  {
    rule: 'reconciled with a generation is ready',
    after: watching,
    bad: startup({ state: 'degraded' }),
    good: startup({ state: 'degraded', generation: 0 }),
    reason: 'bad_startup',
  },
  {
    rule: 'catch-up off is never ready',
    after: watching,
    bad: startup({ reason: 'catch_up_disabled' }),
    good: startup({ state: 'degraded', reason: 'catch_up_disabled' }),
    reason: 'bad_startup',
  },

  {
    rule: 'the root is the supervisor’s',
    after: ['task_loaded'],
    bad: { ...GOOD.identity, root: '/srv/other' },
    good: GOOD.identity,
    reason: 'wrong_root',
  },
  {
    rule: 'the root exists',
    after: ['task_loaded'],
    bad: { ...GOOD.identity, root: '/srv/gone' },
    good: { ...GOOD.identity, root: '/link/to/app' },
    reason: 'wrong_root',
  },
  {
    rule: 'the pid stays',
    after: ['task_loaded'],
    bad: { ...GOOD.identity, pid: DESCENDANT },
    good: GOOD.identity,
    reason: 'pid_changed',
  },

  orderRow('task_loaded comes once', ['task_loaded'], 'task_loaded'),
  orderRow('identity comes after task_loaded', [], 'identity'),
  orderRow('identity comes once', identified, 'identity'),
  orderRow('backend_ready comes after identity', ['task_loaded'], 'backend_ready'),
  orderRow('backend_ready comes once', watching, 'backend_ready'),
  orderRow('startup comes after backend_ready', identified, 'startup'),
  orderRow('terminal comes after task_loaded', [], 'terminal'),
  orderRow('task_loaded does not come back', watching, 'task_loaded'),
  ...(['task_loaded', 'identity', 'backend_ready', 'startup', 'terminal'] as const).map((name) =>
    orderRow(`${name} does not follow terminal`, ['task_loaded', 'terminal'], name, 'after_terminal'),
  ),
];

function envelopeRow(field: string, value: unknown, reason: string): Row[] {
  const rule = `${field} is not ${JSON.stringify(value)}`;
  return [{ rule, after: [], bad: { ...GOOD.task_loaded, [field]: value }, good: GOOD.task_loaded, reason }];
}

function fieldRow(name: GoodName, field: string, values: unknown[]): Row[] {
  return values.map((value) => ({
    rule: `${name}.${field} is not ${JSON.stringify(value)}`,
    after: before[name],
    bad: { ...GOOD[name], [field]: value },
    good: GOOD[name],
    reason: `bad_${field}`,
  }));
}

function orderRow(rule: string, after: GoodName[], name: GoodName, reason = 'out_of_order'): Row {
  return { rule, after, bad: GOOD[name], good: undefined, reason };
}

describe('the child’s records', () => {
  it.each(rows)('$rule ($reason)', ({ after, bad, good, reason }) => {
    const verdict = validatorAfter(...after).child(bad);
    expect(verdict).toMatchObject({ ok: false, reason });
    if (good !== undefined) expect(validatorAfter(...after).child(good)).toMatchObject({ ok: true });
  });

  it('are refused with one line that says what was expected and what was found, safe to print', () => {
    for (const { after, bad } of rows) {
      const verdict = validatorAfter(...after).child(bad);
      if (verdict.ok) throw new Error('accepted');
      expect(verdict.reason).toMatch(/^[a-z_]{1,80}$/);
      expect(verdict.detail).toMatch(/^expected .+, found .+$/);
      expect(verdict.detail.length).toBeLessThan(400);
    }
    const colour = newValidator().child(record('\u001b[31m\n\u009b\u202e', { launcher: 'x' }));
    expect(colour).toMatchObject({ ok: false });
    const loud = validatorAfter().child(record(`\u001b[31m\n\u009b\u202e${'x'.repeat(5000)}`, {}));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(loud).toMatchObject({ ok: false, detail: expect.not.stringMatching(/[\u0000-\u001f\u007f-\u009f\u202e]/) });
  });

  it('are accepted from boot to the last word, and rid of fields that the protocol does not know', () => {
    const validator = validatorAfter();
    const verdicts = Object.values(GOOD).map((value) => validator.child({ ...value, added: 'later' }));
    expect(verdicts).toEqual([
      { ok: true, pid: CHILD, event: { event: 'task_loaded', woods_version: '2.0.0' } },
      { ok: true, pid: CHILD, event: { event: 'identity', root: ROOT, index: `${ROOT}/tmp/woods` } },
      { ok: true, pid: CHILD, event: { event: 'backend_ready' } },
      { ok: true, pid: CHILD, event: { event: 'startup', state: 'ready', generation: 3, reason: 'reconciled' } },
      { ok: true, pid: CHILD, event: { event: 'terminal', reason: 'restart_required' } },
    ]);
    expect(validator.stage()).toBe('terminal');
  });

  it('may say startup again', () => {
    const validator = validatorAfter(...watching, 'startup');
    expect(validator.child(startup({ state: 'degraded', reason: 'pending_work' }))).toMatchObject({ ok: true });
    expect(validator.child(GOOD.startup)).toMatchObject({ ok: true });
  });

  it('may come from a live descendant, and then only from it', () => {
    const validator = validatorAfter();
    expect(validator.child({ ...GOOD.task_loaded, pid: DESCENDANT })).toMatchObject({ ok: true, pid: DESCENDANT });
    expect(validator.child(GOOD.identity)).toMatchObject({ ok: false, reason: 'pid_changed' });
    expect(validator.child({ ...GOOD.identity, pid: DESCENDANT })).toMatchObject({ ok: true });
  });

  it('are not expected before the child is there, and not after it ended', () => {
    const early = newValidator();
    expect(early.child(GOOD.task_loaded)).toMatchObject({ reason: 'out_of_order' });
    early.owner({ event: 'hello' });
    expect(early.child(GOOD.task_loaded)).toMatchObject({ reason: 'out_of_order' });
    const late = validatorAfter('task_loaded');
    late.owner({ event: 'exit', code: 0, signal: null });
    expect(late.child(GOOD.identity)).toMatchObject({ reason: 'after_end' });
  });

  it('leave the stage alone when they are refused', () => {
    const validator = validatorAfter('task_loaded');
    validator.child({ ...GOOD.identity, root: '/srv/other' });
    expect(validator.stage()).toBe('loaded');
  });

  it('name a root by any path that leads to it', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'app'));
    symlinkSync(join(directory, 'app'), join(directory, 'link'));
    const verdictOn = (root: string) => {
      const validator = createRecordValidator({
        ...envelope,
        root: join(directory, 'app'),
        ownerPid: 100,
        isSender: () => true,
      });
      validator.owner({ event: 'hello' });
      validator.owner({ event: 'spawned', child_pid: CHILD });
      validator.child(GOOD.task_loaded);
      return validator.child({ ...GOOD.identity, root });
    };
    expect(verdictOn(join(directory, 'link'))).toMatchObject({ ok: true });
    expect(verdictOn(directory)).toMatchObject({ ok: false, reason: 'wrong_root' });
    expect(verdictOn(join(directory, 'none'))).toMatchObject({ ok: false, reason: 'wrong_root' });
  });
});

const HELLO: OwnerEvent = { event: 'hello' };
const SPAWNED: OwnerEvent = { event: 'spawned', child_pid: CHILD };
const ERROR: OwnerEvent = { event: 'spawn_error', reason: 'enoent' };
const EXIT: OwnerEvent = { event: 'exit', code: 75, signal: null };

function after(...events: OwnerEvent[]): RecordValidator {
  const validator = newValidator();
  for (const event of events) expect(validator.owner(event)).toMatchObject({ ok: true, pid: 100 });
  return validator;
}

describe('the owner’s events', () => {
  it.each<{ rule: string; events: OwnerEvent[]; bad: OwnerEvent; reason: string }>([
    { rule: 'hello is first', events: [], bad: SPAWNED, reason: 'out_of_order' },
    { rule: 'no error before hello', events: [], bad: ERROR, reason: 'out_of_order' },
    { rule: 'no exit before hello', events: [], bad: EXIT, reason: 'out_of_order' },
    { rule: 'hello comes once', events: [HELLO], bad: HELLO, reason: 'out_of_order' },
    { rule: 'exit comes after spawned', events: [HELLO], bad: EXIT, reason: 'out_of_order' },
    { rule: 'spawned comes once', events: [HELLO, SPAWNED], bad: SPAWNED, reason: 'out_of_order' },
    { rule: 'spawn_error comes instead of spawned', events: [HELLO, SPAWNED], bad: ERROR, reason: 'out_of_order' },
    { rule: 'a spawn_error ends the attempt', events: [HELLO, ERROR], bad: SPAWNED, reason: 'after_end' },
    { rule: 'nothing follows exit', events: [HELLO, SPAWNED, EXIT], bad: EXIT, reason: 'after_end' },
    { rule: 'a pid is positive', events: [HELLO], bad: { event: 'spawned', child_pid: 0 }, reason: 'bad_child_pid' },
    {
      rule: 'an error is a word',
      events: [HELLO],
      bad: { event: 'spawn_error', reason: 'no such file' },
      reason: 'bad_reason',
    },
    { rule: 'a code is 255 at most', events: [HELLO, SPAWNED], bad: { ...EXIT, code: 256 }, reason: 'bad_code' },
    { rule: 'a code is 0 at least', events: [HELLO, SPAWNED], bad: { ...EXIT, code: -1 }, reason: 'bad_code' },
    {
      rule: 'a signal is positive',
      events: [HELLO, SPAWNED],
      bad: { event: 'exit', code: null, signal: 0 },
      reason: 'bad_signal',
    },
    {
      rule: 'exit has a code or a signal',
      events: [HELLO, SPAWNED],
      bad: { event: 'exit', code: null, signal: null },
      reason: 'bad_exit',
    },
    {
      rule: 'exit has not both',
      events: [HELLO, SPAWNED],
      bad: { event: 'exit', code: 0, signal: 9 },
      reason: 'bad_exit',
    },
  ])('$rule', ({ events, bad, reason }) => {
    const verdict = after(...events).owner(bad);
    expect(verdict).toMatchObject({ ok: false, reason, detail: expect.stringMatching(/^expected .+ found .+$/) });
  });

  it('may end the attempt at any stage after the start, with any code or signal', () => {
    const stages: GoodName[][] = [
      [],
      ['task_loaded'],
      identified,
      watching,
      [...watching, 'startup'],
      ['task_loaded', 'terminal'],
    ];
    for (const names of stages) {
      for (const end of [
        EXIT,
        { ...EXIT, code: 0 },
        { ...EXIT, code: 255 },
        { event: 'exit', code: null, signal: 9 },
      ] as const) {
        const validator = validatorAfter(...names);
        expect(validator.owner(end)).toEqual({ ok: true, pid: 100, event: end });
        expect(validator.stage()).toBe('ended');
      }
    }
  });
});
