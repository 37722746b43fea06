/** `woods-worker`: what woods-watch starts when it is given no command. The same options as `woods watch`. */
import { EXIT, UsageError } from '@woods/protocol';
import { argumentsOf } from './run/arguments.ts';
import { surviveClosedStderr } from './run/say.ts';
import { runWorker } from './run/worker.ts';

surviveClosedStderr();
try {
  process.exit(await runWorker(argumentsOf(process.argv.slice(2))));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`woods-worker: ${error.message}\n`);
  process.exit(EXIT.usage);
}
