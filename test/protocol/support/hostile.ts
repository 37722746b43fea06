import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What may lie where a file of ours is expected; each puts one such thing at `path`. */
export const HOSTILE: Readonly<Record<string, (path: string) => void>> = {
  'a link to a good file': (path) => {
    writeFileSync(`${dirname(path)}/elsewhere`, '{}');
    symlinkSync(`${dirname(path)}/elsewhere`, path);
  },
  'a dangling link': (path) => symlinkSync('/nowhere', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a FIFO': (path) => {
    execFileSync('mkfifo', [path]);
  },
  'a link to a FIFO': (path) => {
    execFileSync('mkfifo', [`${dirname(path)}/fifo`]);
    symlinkSync(`${dirname(path)}/fifo`, path);
  },
  'a directory': (path) => mkdirSync(path),
  'an endless device': (path) => symlinkSync('/dev/zero', path),
  'a huge file': (path) => writeFileSync(path, `{"a":"${'x'.repeat(200_000)}"}`),
  'an empty file': (path) => writeFileSync(path, ''),
  'half of a file': (path) => writeFileSync(path, '{"version":1,"launcher":"'),
  'another value': (path) => writeFileSync(path, '[]'),
  null: (path) => writeFileSync(path, 'null'),
  'an object without fields': (path) => writeFileSync(path, '{}'),
  'bytes that are not UTF-8': (path) => writeFileSync(path, Buffer.from('{"a":"\xff"}', 'latin1')),
  'zeros, as after a crash': (path) => writeFileSync(path, Buffer.alloc(300)),
};
