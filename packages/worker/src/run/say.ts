/** One line to a person, on stderr; a reader that has gone away is no reason to stop. */
export function say(line: string): void {
  process.stderr.write(`[woods] ${line}\n`);
}

/** Keeps a closed stderr from ending the process. */
export function surviveClosedStderr(): void {
  process.stderr.on('error', () => {});
}
