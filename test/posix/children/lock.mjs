/** Opens the file that the argument names, and does to its lock what each line on stdin says; answers each with a word. */
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { flock } from '../../../packages/posix/dist/index.js';

const [path] = process.argv.slice(2);
const fd = openSync(path, 'r+');
process.stdout.write('ready\n');
for await (const mode of createInterface({ input: process.stdin })) {
  process.stdout.write(`${flock(fd, mode)}\n`);
}
