/** Imports the package where koffi cannot be loaded, and says what becomes of each call. */
import { readFileSync } from 'node:fs';
import Module from 'node:module';

const load = Module._load;
Module._load = (request, ...rest) => {
  if (request === 'koffi') throw new Error('Cannot find the native Koffi module');
  return load(request, ...rest);
};

const { flock, flockSupport, isDescendant, PosixUnavailable } = await import('../../../packages/posix/dist/index.js');
const attempt = () => {
  try {
    return flock(0, 'shared');
  } catch (error) {
    return error instanceof PosixUnavailable ? error.message : `another error: ${error.message}`;
  }
};
const said = {
  support: flockSupport(),
  first: attempt(),
  second: attempt(),
  below: isDescendant(process.pid, process.ppid),
};
const loaded = readFileSync('/proc/self/maps', 'utf8').includes('koffi');
process.stdout.write(JSON.stringify({ ...said, loaded }));
