/**
 * `npm run check`: build, lint, arrows, unused exports, types of tests, tests. Each step's time and each package's
 * share of the tests are written down; the last line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'woods-check-'));
const report = join(scratch, 'vitest.json');

const steps = [
  ['build', ['npm', 'run', '--silent', 'build']],
  ['types of tests', ['npm', 'run', '--silent', 'typecheck']],
  ['lint', ['npm', 'run', '--silent', 'lint']],
  ['arrows', ['npm', 'run', '--silent', 'arrows']],
  ['unused exports', ['npm', 'run', '--silent', 'unused']],
  ['tests', ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
];

let failedSteps = 0;
for (const [name, [command, ...args]] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`== ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  if (status !== 0) failedSteps += 1;
}

const results = readReport();
rmSync(scratch, { recursive: true, force: true });
printShares(results);
process.stdout.write(`${results.numPassedTests} passed, ${results.numFailedTests + failedSteps} failed\n`);
process.exitCode = failedSteps === 0 && results.numFailedTests === 0 && results.numPassedTests > 0 ? 0 : 1;

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}

function printShares({ testResults }) {
  const shares = new Map();
  for (const { name, startTime, endTime } of testResults) {
    const [, room = '.'] = relative(root, name).split(sep);
    shares.set(room, (shares.get(room) ?? 0) + (endTime - startTime));
  }
  for (const [room, milliseconds] of [...shares].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`   test/${room}: ${(milliseconds / 1000).toFixed(1)} s\n`);
  }
}
