/** The program woods-watch: memory first, because what is imported before that is paid for in full. */
import { beFrugal } from './run/frugal.ts';

beFrugal();
const { runCommandLine } = await import('./run/command-line.ts');
await runCommandLine(process.argv.slice(2));
