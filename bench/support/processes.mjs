/** Starts our binaries for a bench, and reads what the kernel says of them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
export const binaries = {
  woods: join(packages, 'cli/bin/woods.js'),
  woodsWatch: join(packages, 'supervisor/bin/woods-watch.js'),
  worker: join(packages, 'worker/bin/woods-worker.js'),
};

/** Runs to its end: wall time in ms and the peak resident set of the process in KiB (as the process itself reports it). */
export async function timed(binary, args, { cwd, env }) {
  const place = mkdtempSync(join(tmpdir(), 'woods-bench-'));
  const note = join(place, 'rss');
  const hook = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(note)},String(process.resourceUsage().maxRSS)))`;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(hook)}`, binary, ...args],
    {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let words = '';
  child.stderr.on('data', (chunk) => (words += chunk));
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('exit', resolve));
  const wall = performance.now() - started;
  if (code !== 0) throw new Error(`${binary} ${args.join(' ')} ended with ${code}:\n${words}`);
  const rss = Number(readFileSync(note, 'utf8'));
  rmSync(place, { recursive: true });
  return { wall, rss };
}

/** Starts a long-running binary; `says(pattern)` resolves with the time in ms since the start when a line matches. */
export function launched(binary, args, { cwd, env }) {
  const started = performance.now();
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const waiting = new Set();
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    for (const look of waiting) look();
  });
  const exit = new Promise((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal, at: performance.now() })),
  );
  exit.then(() => {
    for (const look of waiting) look(true);
  });
  return {
    pid: child.pid,
    exit,
    kill: (signal) => child.kill(signal),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (ended) => {
          if (pattern.test(text)) {
            waiting.delete(look);
            resolve(performance.now() - started);
          } else if (ended) reject(new Error(`ended before ${pattern}:\n${text}`));
        };
        waiting.add(look);
        look(false);
      }),
  };
}

/** Private_Dirty and Pss in KiB. */
export function memory(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { privateDirty: field('Private_Dirty'), pss: field('Pss') };
}

/** Direct children of `pid`: pid and command line. */
export function children(pid) {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent !== pid) return [];
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
    } catch {
      return [];
    }
  });
}
