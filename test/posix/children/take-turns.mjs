/** Adds one to the number in a file, 200 times, each under the exclusive lock; without the lock, additions get lost. */
import { openSync, readSync, writeSync } from 'node:fs';
import { flock } from '../../../packages/posix/dist/index.js';

const [path] = process.argv.slice(2);
const fd = openSync(path, 'r+');
const buffer = Buffer.alloc(16);

for (let count = 0; count < 200; count++) {
  while (!flock(fd, 'exclusive')) await new Promise(setImmediate);
  readSync(fd, buffer, 0, 16, 0);
  const number = Number(buffer.toString().trim()) + 1;
  await new Promise(setImmediate);
  writeSync(fd, String(number).padStart(16), 0);
  flock(fd, 'unlock');
}
