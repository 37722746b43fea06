import { systemTerminal } from './output/terminal.ts';
import { runProgram } from './program.ts';
import { woodsVersion } from './version.ts';

const session = { cwd: process.cwd(), env: process.env, terminal: systemTerminal() };
const exitCode = await runProgram(process.argv.slice(2), session, woodsVersion());
// A command that is done ends, also where something still has a handle open; what was written goes out first,
// and an error of writing it is heard.
process.stdout.write('', () => setImmediate(() => process.exit(exitCode)));
