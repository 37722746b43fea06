/** The main job as a user runs it: a supervisor in one terminal, `woods` in another. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPointer } from '@woods/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { endAll, type Running, start } from '../support/running.ts';
import { describeWithTools } from '../support/tools.ts';
import { until } from '../support/until.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const bin = join(modules, '.bin');
const woodsWatch = join(bin, 'woods-watch');
const woods = join(bin, 'woods');
// whole processes on a machine that may be busy; each wait inside has its own bound and says what it waited for
vi.setConfig({ testTimeout: 180_000 });

const quick = { WOODS_WATCH_DEBOUNCE: '0.02' };

afterEach(() => {
  endAll();
  removeProjects();
});

describe('woods-watch on a project', () => {
  it('indexes, follows every save, comes back after a package.json edit, and leaves nothing at Ctrl-C', async () => {
    const root = makeProject();
    const watch = start(woodsWatch, ['--root', root], { cwd: '/', env: quick });
    await ready(watch);
    expect(generation(root)).toBe(1);

    expect(await ask(root, ['watch-status'])).toMatchObject({ code: 0 });
    expect((await ask(root, ['lookup', 'ripeness'])).stdout).toContain('src/tree.ts#ripeness');
    expect((await ask(root, ['search', 'harv'])).stdout).toContain('src/main.ts#harvest');
    expect((await ask(root, ['deps', 'harvest'])).stdout).toContain('src/tree.ts#ripeness');

    for (const [at, name] of ['prune', 'graft', 'water'].entries()) {
      save(root, 'src/care.ts', `export function ${name}(): void {}\n`);
      await reaches(root, at + 2);
      expect((await ask(root, ['lookup', name])).stdout).toContain(`src/care.ts#${name}`);
    }

    save(root, 'package.json', '{ "name": "orchard", "version": "1.0.1", "type": "module" }\n');
    await ready(watch);
    expect((await ask(root, ['watch-status'])).code).toBe(0);

    watch.signal('SIGINT');
    expect(await watch.exit).toEqual({ code: null, signal: 'SIGINT' });
    expect(watch.family()).toEqual([]);
    expect((await ask(root, ['watch-status'])).code).toBe(1);
  });

  it.each([
    ['npx', ['npx', '--no-install', 'woods', 'watch']],
    ['npm run', ['npm', 'run', '--silent', 'worker']],
    ['sh -c', ['sh', '-c', `"${woods}" watch; exit $?`]],
  ])('runs a worker that is started through %s, which passes no descriptors on', async (_, command) => {
    const root = makeProject({
      'package.json': `{ "name": "orchard", "version": "1.0.0", "scripts": { "worker": ${JSON.stringify(`${woods} watch`)} } }\n`,
    });
    symlinkSync(modules, join(root, 'node_modules'));
    const watch = start(woodsWatch, ['--root', root, '--', ...command], {
      cwd: '/',
      env: { ...quick, PATH: `${bin}:${process.env.PATH}` },
    });
    await ready(watch);
    save(root, 'src/care.ts', 'export const spade = 1;\n');
    await reaches(root, 2);
    watch.signal('SIGTERM');
    expect(await watch.exit).toEqual({ code: 0, signal: null });
    expect(watch.family()).toEqual([]);
  });
});

describe('under a Procfile runner', () => {
  it('runs and stops under nf', async () => {
    await underRunner(join(bin, 'nf'), (procfile) => ['-j', procfile, 'start']);
  });
});

describeWithTools('under foreman', ['foreman'], () => {
  it('runs and stops under foreman', async () => {
    await underRunner('foreman', (procfile) => ['start', '-f', procfile]);
  });
});

async function underRunner(runner: string, args: (procfile: string) => string[]): Promise<void> {
  const root = makeProject();
  const place = mkdtempSync(join(tmpdir(), 'woods-procfile-'));
  const procfile = join(place, 'Procfile');
  writeFileSync(procfile, `index: ${woodsWatch} --root ${root}\n`);
  try {
    const watch = start(runner, args(procfile), { cwd: place, env: quick, ownGroup: true });
    await ready(watch);
    save(root, 'src/care.ts', 'export const spade = 1;\n');
    await reaches(root, 2);
    // nf signals only the shell that it starts a line with; at a terminal the whole foreground group gets Ctrl-C
    watch.signalGroup('SIGINT');
    await watch.exit;
    await until(() => watch.family().length === 0, { what: 'no process of the runner is left' });
    expect((await ask(root, ['watch-status'])).code).toBe(1);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function ready(watch: Running): Promise<string> {
  return watch.line(/\[woods-watch\].*\bready\b/);
}

function generation(root: string): number | null {
  const read = readPointer(join(root, 'tmp/woods'));
  return read.kind === 'ok' ? read.value.number : null;
}

function reaches(root: string, wanted: number): Promise<number | null> {
  const at = () => generation(root) ?? 0;
  return until(() => (at() >= wanted ? at() : null), {
    directory: join(root, 'tmp/woods'),
    what: `generation ${wanted} (now ${at()})`,
  });
}

function ask(root: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(woods, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
