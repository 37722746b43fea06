/** A managed child. Reports what each line on stdin asks for, says `ok` after each, and ends when stdin does. */
import { createInterface } from 'node:readline';
import { openReporter, readRunMode } from '../../../packages/protocol/dist/index.js';

const startup = (generation) => ({ event: 'startup', state: 'ready', generation, reason: 'reconciled' });

let reporter;
try {
  reporter = openReporter(readRunMode(process.env), { closeTimeoutMs: 5000 });
} catch (error) {
  process.stdout.write(`${error.name}: ${error.message}\n`);
  process.exit(error.exitCode);
}
process.stdout.write('ok\n');

for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(' ');
  if (word === 'boot') {
    reporter.report({ event: 'task_loaded', woods_version: '2.0.0' });
    reporter.report({ event: 'identity', root: '/srv/app', index: '/srv/app/tmp/woods' });
    reporter.report({ event: 'backend_ready' });
  }
  if (word === 'startups') for (let n = 1; n <= Number(count); n++) reporter.report(startup(n));
  if (word === 'close') await reporter.close();
  process.stdout.write('ok\n');
}
