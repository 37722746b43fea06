/** `woods` without a process of its own: for tables of calls, where starting Node a hundred times would be the test. */
import { runProgram } from '../../../packages/cli/src/program.ts';
import { type Ended, environment, type Surroundings } from './woods.ts';

export async function inProcess(args: readonly string[], { cwd, env }: Surroundings): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const terminal = {
    data: (text: string) => {
      stdout += text;
    },
    say: (line: string) => {
      stderr += `woods: ${line}\n`;
    },
    progress: () => undefined,
  };
  const code = await runProgram(args, { cwd, env: environment(env), terminal }, '0.0.0');
  return { code, signal: null, stdout, stderr };
}
