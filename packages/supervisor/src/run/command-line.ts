import { readFileSync } from 'node:fs';
import { setCloseOnExec } from '@woods/posix';
import { EXIT, UsageError } from '@woods/protocol';
import { onExit } from 'signal-exit';
import type { Options } from '../arguments/options.ts';
import { asksForJson, parseArguments } from '../arguments/parse.ts';
import { formatJson } from '../log/format.ts';
import { chooseColour, openLog } from '../log/log.ts';
import { openSink } from '../log/sink.ts';
import { chooseLeaving, leave } from '../signals/leave.ts';
import * as lines from '../states/lines.ts';
import { prepareNotification } from '../status/notify.ts';
import { preparePlan } from './prepare.ts';
import { supervise } from './supervise.ts';

const STDERR = 2;
/** EX_SOFTWARE: a fault of ours. The guardian ends the tree. */
const INTERNAL_ERROR = 70;

/** woods-watch from its arguments to its end. Ends the process itself; no error leaves it. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    const request = understand(argv);
    if (request.kind === 'tell') tell(process.stdout, request.text);
    else await run(request.options);
  } catch (error) {
    const code = error instanceof UsageError ? EXIT.usage : INTERNAL_ERROR;
    const line = lines.refused({ what: describe(error), code });
    tell(process.stderr, asksForJson(argv) ? formatJson(line, new Date()) : `woods-watch: ${line.text}\n`);
    process.exitCode = code;
  }
}

/** A reader that has left, or a full disk, takes nothing from the exit code. */
function tell(stream: NodeJS.WriteStream, text: string): void {
  stream.on('error', () => {});
  stream.write(text);
}

/** The one that was removed under our feet has no path; what is looked for against it is then not found, by name. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

function understand(argv: readonly string[]): ReturnType<typeof parseArguments> {
  if (process.platform === 'win32') {
    throw new UsageError('Windows is not supported, because it has no process groups; run it in WSL');
  }
  return parseArguments(argv, packageVersion());
}

async function run(options: Options): Promise<void> {
  const plan = preparePlan(options, { cwd: currentDirectory(), env: takeEnvironment() });
  const notifyReady = prepareNotification(options.notifyFd);
  const log = openLog(openSink(STDERR), {
    format: options.logFormat,
    volume: options.volume,
    colour: chooseColour({ isTerminal: process.stderr.isTTY, env: process.env }),
    date: () => new Date(),
  });
  keepDescriptors();
  let lastWords = (): void => {};
  const forget = onExit(() => lastWords());
  process.on('uncaughtException', (error) => {
    log(lines.internalError(describe(error)));
    process.exit(INTERNAL_ERROR);
  });
  const ending = await supervise(plan, {
    log,
    notifyReady,
    onUntimelyEnd: (speak) => {
      lastWords = speak;
    },
  });
  forget();
  leave(chooseLeaving(ending, process.pid));
}

/** What we were started with. Node gives a NODE_V8_COVERAGE of ours to every child whose environment has none. */
function takeEnvironment(): Record<string, string | undefined> {
  const inherited = { ...process.env };
  delete process.env.NODE_V8_COVERAGE;
  return inherited;
}

/** What was open when we started (a lock, a test runner's pipe) is not the child's. */
function keepDescriptors(): void {
  try {
    setCloseOnExec({ from: 3 });
  } catch {
    // without the native call, Node's own start has done it for the usual ones
  }
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known ? String(manifest.version) : 'unknown';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
