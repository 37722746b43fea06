/**
 * Runs many supervisors in one process, four at once, since Node's own start would cost ten times what is tested. Takes a
 * JSON array of `{ args, script }` on stdin, the script being for `sh -c`; answers with an array of how each would leave
 * its process, and the event of its last line.
 */
import { text } from 'node:stream/consumers';

const built = (path) => import(`../../../packages/supervisor/dist/${path}.js`);
const { parseArguments } = await built('arguments/parse');
const { preparePlan } = await built('run/prepare');
const { supervise } = await built('run/supervise');
const { chooseLeaving } = await built('signals/leave');

const AT_ONCE = 4;

async function run({ args, script }) {
  const { options } = parseArguments([...args, '--', 'sh', '-c', script], 'many');
  const plan = preparePlan(options, { cwd: process.cwd(), env: process.env });
  let event = null;
  const ending = await supervise(plan, {
    log: (line) => {
      event = line.event;
    },
    notifyReady: () => {},
  });
  return { leaving: chooseLeaving(ending, process.pid), event };
}

const runs = JSON.parse(await text(process.stdin));
const results = [];
let next = 0;
async function work() {
  while (next < runs.length) {
    const at = next;
    next += 1;
    results[at] = await run(runs[at]);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.stdout.write(JSON.stringify(results));
process.exit(0);
