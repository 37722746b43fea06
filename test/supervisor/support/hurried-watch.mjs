/** woods-watch as its binary runs it, with its own options, but on a clock that runs CLOCK_FACTOR times as fast. */
import { beFrugal } from '../../../packages/supervisor/dist/run/frugal.js';
import { hurriedClock } from './hurried-clock.mjs';

beFrugal();
const built = (path) => import(`../../../packages/supervisor/dist/${path}.js`);
const { parseArguments } = await built('arguments/parse');
const { preparePlan } = await built('run/prepare');
const { supervise } = await built('run/supervise');
const { openLog } = await built('log/log');
const { openSink } = await built('log/sink');
const { chooseLeaving, leave } = await built('signals/leave');

const { options } = parseArguments(process.argv.slice(2), 'hurried');
const plan = preparePlan(options, { cwd: process.cwd(), env: process.env });
const clock = hurriedClock(Number(process.env.CLOCK_FACTOR ?? 100));
const log = openLog(openSink(2), { format: 'text', volume: 'normal', colour: 'plain', date: clock.date });
const ending = await supervise(plan, { log, notifyReady: () => {}, clock });
leave(chooseLeaving(ending, process.pid));
