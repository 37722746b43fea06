/** `woods-worker`: what woods-watch starts when it is given no command. The same options as `woods watch`. */
import { exitNow, flockSupport } from '@woods/posix';
import { EXIT, UsageError } from '@woods/protocol';
import { argumentsOf } from './run/arguments.ts';
import { surviveClosedStderr } from './run/say.ts';
import { runWorker } from './run/worker.ts';

surviveClosedStderr();
try {
  end(await runWorker(argumentsOf(process.argv.slice(2))));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`woods-worker: ${error.message}\n`);
  end(EXIT.usage);
}

/** stderr is written synchronously, so nothing is lost. */
function end(code: number): void {
  if (flockSupport().ok) exitNow(code);
  process.exit(code);
}
