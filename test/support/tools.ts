/**
 * Programs that some tests need and a user's machine may lack. Such a test is skipped by name there;
 * with WOODS_REQUIRE_TOOLS=1 (CI) a missing one is a failure, so that no check disappears in silence.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, type SuiteFactory } from 'vitest';

export function hasTool(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => isExecutable(join(directory, name)));
}

/** `describe` for a suite that needs every one of `tools`. */
export function describeWithTools(title: string, tools: readonly string[], body: SuiteFactory): void {
  const missing = tools.filter((tool) => !hasTool(tool));
  if (missing.length === 0) {
    describe(title, body);
    return;
  }
  if (process.env.WOODS_REQUIRE_TOOLS === '1') {
    describe(title, () => {
      throw new Error(`CI must install what tests need; missing: ${missing.join(', ')}`);
    });
    return;
  }
  describe.skip(`${title} (skipped: ${missing.join(', ')} not installed)`, body);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
