/** Becomes a subreaper, adopts what a shell leaves behind, and reaps it; says how many children there were at each step. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { becomeSubreaper, ownChildren, readProcess, reap } from '../../../packages/posix/dist/index.js';

const before = ownChildren().length;
becomeSubreaper();
const shell = spawn('sh', ['-c', 'sleep 1000 & sleep 1000 & exit 7'], { stdio: 'ignore' });
const [code] = await once(shell, 'exit');
const adopted = ownChildren();
const living = adopted.map(reap);
for (const pid of adopted) process.kill(pid, 'SIGKILL');
while (adopted.some((pid) => readProcess(pid)?.state !== 'Z')) await new Promise(setImmediate);
const zombies = ownChildren().length;
const reaped = adopted.map(reap);
const again = adopted.map(reap);
const counts = { before, adopted: adopted.length, zombies, after: ownChildren().length };
process.stdout.write(`${JSON.stringify({ code, living, reaped, again, ...counts })}\n`);
