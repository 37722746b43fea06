/** Says whether the native library is in memory: after the import, after /proc alone, and after a call that needs it. */
import { readFileSync } from 'node:fs';
import { flockSupport, isDescendant, listProcesses } from '../../../packages/posix/dist/index.js';

const loaded = () => readFileSync('/proc/self/maps', 'utf8').includes('koffi');
const atImport = loaded();
listProcesses();
isDescendant(process.pid, process.ppid);
const afterProc = loaded();
flockSupport();
process.stdout.write(JSON.stringify({ atImport, afterProc, afterCall: loaded() }));
