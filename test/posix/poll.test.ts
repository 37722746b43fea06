import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isWritable } from '@woods/posix';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from './support/process.ts';

it('a pipe is writable until it is full, and again when nobody reads it any more: then a write fails at once', () => {
  const path = join(temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(writer));
  expect(isWritable(writer)).toBe(true);
  expect(() => {
    for (;;) writeSync(writer, Buffer.alloc(4096));
  }).toThrow(/EAGAIN/);
  expect(isWritable(writer)).toBe(false);
  closeSync(reader);
  expect(isWritable(writer)).toBe(true);
});
