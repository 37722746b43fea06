/** docs/supervising.md says what JSON lines hold; this holds it to that. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Line } from '../../packages/supervisor/src/states/effect.ts';
import * as lines from '../../packages/supervisor/src/states/lines.ts';

/** Every line that there is, said once. The type makes a new one fail to compile until it is added here. */
const SAID: { readonly [Name in keyof typeof lines]: readonly Line[] } = {
  started: [lines.started(7)],
  startup: [
    lines.startup({ state: 'ready', generation: 1, reason: 'reconciled' }),
    lines.startup({ state: 'degraded', generation: 1, reason: 'pending_work' }),
  ],
  retrying: [lines.retrying({ what: 'x', failures: 1, delayMs: 1_000 })],
  planned: [lines.planned({ delayMs: 0, reachedReady: true })],
  restarting: [lines.restarting()],
  parked: [lines.parked({ reason: 'x', what: 'y', advice: 'z' })],
  tooManyFailures: [lines.tooManyFailures({ what: 'x', failures: 1, code: 1 })],
  stopping: [lines.stopping('SIGTERM')],
  killing: [lines.killing()],
  leftBehind: [lines.leftBehind([7])],
  leftovers: [lines.leftovers([7])],
  guardianReplaced: [lines.guardianReplaced()],
  guardianSuspended: [lines.guardianSuspended()],
  noSockets: [lines.noSockets()],
  orphansUnreaped: [lines.orphansUnreaped('x')],
  statusUnwritten: [lines.statusUnwritten({ reason: 'x', index: '/i' })],
  refused: [lines.refused({ what: 'x', code: 2 })],
  internalError: [lines.internalError('x')],
};

it('the documented events, levels and fields are those that there are', () => {
  const documented = documentedRows().map(([event, level, fields]) => ({ event, level, fields }));
  const said = Object.values(SAID)
    .flat()
    .map(({ event, level, fields = {} }) => ({ event, level, fields: Object.keys(fields).sort() }));
  const byEvent = (one: { event: string }, other: { event: string }): number => one.event.localeCompare(other.event);
  expect(documented.sort(byEvent)).toEqual(said.sort(byEvent));
});

/** Rows of the table under "JSON lines": event, level, fields. */
function documentedRows(): [event: string, level: string, fields: string[]][] {
  const text = readFileSync(new URL('../../docs/supervising.md', import.meta.url), 'utf8');
  const section = text.split('## JSON lines')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` *\| (\w+) *\| ([^|]*)\|/gm)].map(
    ([, event = '', level = '', fields = '']) => [
      event,
      level,
      [...fields.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort(),
    ],
  );
}
