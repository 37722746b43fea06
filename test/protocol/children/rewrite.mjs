/** Rewrites the watch status named by the arguments as fast as it can, until its stdin ends. */
import { writeWatchStatus } from '../../../packages/protocol/dist/index.js';

const [indexDir] = process.argv.slice(2);
let open = true;
process.stdin.on('end', () => {
  open = false;
});
process.stdin.resume();

const base = { state: 'running', reason: null, pid: process.pid, pid_started: null, host: 'h' };
for (let generation = 0; open; generation++) {
  const detail = { pad: 'x'.repeat((generation * 997) % 40_000) };
  writeWatchStatus(indexDir, { ...base, generation, updated_at: new Date().toISOString(), detail });
  if (generation === 0) process.stdout.write('ok\n');
  await new Promise(setImmediate);
}
