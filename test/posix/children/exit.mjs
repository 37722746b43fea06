/** Ends with 7 while a thread is busy and holds a large heap. */
import { Worker } from 'node:worker_threads';
import { exitNow } from '../../../packages/posix/dist/index.js';

const thread = new Worker(
  `const kept = [];
   for (let at = 0; at < 2e6; at += 1) kept.push({ at, text: String(at) });
   require('node:worker_threads').parentPort.postMessage('full');
   for (;;) kept[0].at += 1;`,
  { eval: true },
);
process.on('exit', (code) => process.stdout.write(`exit ${code}\n`));
thread.once('message', () => exitNow(7));
