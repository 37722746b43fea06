/** Writes one supervisor's status as fast as it can, in changing lengths: `node status-writer.mjs INDEX`. */
import { selfIdentity, writeSupervisorStatus } from '@woods/protocol';

const [index] = process.argv.slice(2);
const { pid, start, host } = selfIdentity();
const token = 'a'.repeat(32);
for (let count = 0; ; count += 1) {
  writeSupervisorStatus(index, {
    version: 1,
    launcher: token,
    pid,
    pid_started: start,
    host,
    updated_at: new Date().toISOString(),
    state: 'ready',
    reason: 'abcdefghij'[count % 10].repeat(1 + (count % 79)),
    attempt: token,
    child_pid: pid,
  });
}
