/** woods-watch at a real terminal: what keys and a closed window do to it, to its child and to the shell's next command. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeWithTools } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { speaking } from './support/speech.ts';
import { newTag, type Tag } from './support/survivors.ts';
import { openTerminal, type Terminal } from './support/terminal.ts';
import { BINARY, makeWorkplace, type Workplace } from './support/woods-watch.ts';

// whole programs on a machine that may be busy; each wait inside has its own bound
vi.setConfig({ testTimeout: 90_000 });

/** Notes each signal that it gets, except the CONT with which every stop begins. */
const NOTING = `
for signal in HUP INT QUIT USR1 USR2 TSTP TTIN TTOU; do trap "echo $signal >>signals" $signal; done
trap 'echo TERM >>signals; exit 0' TERM
sleep 1000 & member=$!
become_ready
while kill -0 $member; do wait $member; done
`;
const STUBBORN = `trap '' TERM; become_ready; while :; do sleep 1000; done`;

let place: Workplace;
let terminal: Terminal;
let tag: Tag;

describeWithTools('at a terminal', ['tmux', 'bash'], () => {
  beforeEach(() => {
    place = makeWorkplace();
    tag = newTag();
    const env = { ...tag.env, CHILD_INDEX: place.index, NODE: process.execPath, WOODS_WATCH: BINARY };
    terminal = openTerminal({ cwd: place.root, env });
  });

  afterEach(() => {
    terminal.close();
    tag.end();
    rmSync(place.root, { recursive: true, force: true });
  });

  it('(report 7) stops the child by one TERM at Ctrl-C, and the next command of the line does not run', async () => {
    const { supervisor } = await watchThere(NOTING);
    terminal.press('C-c');
    await ended(supervisor);
    expect(readFileSync(join(place.root, 'signals'), 'utf8')).toBe('TERM\n');
    terminal.type('touch later');
    await until(() => existsSync(join(place.root, 'later')), { what: 'the shell goes on' });
    expect(existsSync(join(place.root, 'next'))).toBe(false);
    expect(logged().map(({ event }) => event)).toEqual(['started', 'ready', 'stopping']);
    expect(watchers()).toEqual([]);
  });

  it('kills at the second Ctrl-C, within 300 ms by its own account', async () => {
    // the best of three: only a machine that is never idle in three tries could fail one that is fast enough
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && best >= 300; attempt += 1) {
      rmSync(join(place.root, 'log'), { force: true });
      const { supervisor } = await watchThere(STUBBORN, '--shutdown-timeout 60');
      terminal.press('C-c');
      const first = await until(() => Date.parse(timeOf('stopping') ?? '') || null, { what: 'the first Ctrl-C' });
      // what follows at once is taken for an echo of the first
      await until(() => Date.now() - first > 200, { what: 'the end of the time of echoes' });
      terminal.press('C-c');
      await ended(supervisor);
      best = Math.min(best, Date.parse(updatedAt(supervisor)) - Date.parse(timeOf('killing') ?? ''));
      expect(watchers()).toEqual([]);
    }
    expect(best).toBeLessThan(300);
  });

  it('stops and goes on with its child at Ctrl-Z and fg', async () => {
    const { supervisor, child } = await watchThere(NOTING);
    terminal.press('C-z');
    await until(() => stateOf(supervisor) === 'T' && stateOf(child) === 'T', { what: 'both are stopped' });
    terminal.type('fg');
    await until(() => stateOf(supervisor) !== 'T' && stateOf(child) !== 'T', { what: 'both go on' });
    terminal.press('C-c');
    await ended(supervisor);
    expect(readFileSync(join(place.root, 'signals'), 'utf8')).toBe('TERM\n');
    expect(watchers()).toEqual([]);
  });

  it('(report 8) stops everything when the window is closed', async () => {
    const { supervisor } = await watchThere(NOTING);
    terminal.closePane();
    await ended(supervisor);
    expect(readFileSync(join(place.root, 'signals'), 'utf8')).toBe('TERM\n');
    expect(logged().map(({ event }) => event)).toEqual(['started', 'ready', 'stopping']);
    expect(watchers()).toEqual([]);
  });
});

interface There {
  readonly supervisor: number;
  readonly child: number;
}

/** Starts woods-watch from the shell's prompt, with a command after it; resolves when it is ready. */
async function watchThere(script: string, options = ''): Promise<There> {
  const words = speaking(script).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // a file, since a terminal takes lines of a few kilobytes at most
  const command = join(place.root, 'command.sh');
  const line = `exec "$NODE" "$WOODS_WATCH" --root . --log-format json ${options} -- ${words.join(' ')} 2>>log\n`;
  writeFileSync(command, line);
  terminal.type('bash command.sh && touch next');
  await until(() => timeOf('ready'), { what: `ready; on the screen:\n${terminal.screen()}`, timeoutMs: 30_000 });
  const child = Number(logged().find(({ event }) => event === 'started')?.pid);
  const supervisor = parentOf(child);
  return { supervisor, child };
}

function logged(): { event: string; time: string; pid?: number }[] {
  const path = join(place.root, 'log');
  if (!existsSync(path)) return [];
  // the child's shell writes there as well
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

function timeOf(event: string): string | undefined {
  return logged().find((line) => line.event === event)?.time;
}

function ended(pid: number): Promise<unknown> {
  return until(() => !existsSync(`/proc/${pid}`), { what: 'the supervisor has ended' });
}

/** What is left of it: all but the terminal's own processes. */
function watchers(): number[] {
  return tag.survivors().filter((pid) => !/^(tmux|bash|cat)\b/.test(commandOf(pid)));
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}

function stateOf(pid: number): string | undefined {
  return fieldsOf(pid)[0];
}

function fieldsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
}

/** When its last status was written. */
function updatedAt(pid: number): string {
  const directory = join(place.index, 'watch_supervisors');
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  const records = files.map((text): { pid: number; updated_at: string; state: string } => JSON.parse(text));
  const record = records.find((one) => one.pid === pid);
  expect(record?.state).toBe('stopped');
  return record?.updated_at ?? '';
}
