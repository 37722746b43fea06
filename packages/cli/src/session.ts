import type { CommonOptions } from './options/common.ts';
import type { Answer } from './output/answer.ts';
import type { Terminal } from './output/terminal.ts';

/** What a command knows of the process that it runs in. */
export interface Session {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}

/**
 * How a command hands over its work: `work` is run, its answer (or its failure) is printed as `options` ask, and the
 * exit code is kept. A number instead of an answer: the command printed everything itself.
 */
export type Run = (options: CommonOptions, work: (session: Session) => Promise<Answer | number>) => Promise<void>;
