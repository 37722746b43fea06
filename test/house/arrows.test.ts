/** The check of the arrows must see what it is there for: each case plants one fault in a small house. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const packages = ['protocol', 'posix', 'supervisor', 'watch', 'index', 'worker', 'cli'];
const houses: string[] = [];

afterEach(() => {
  for (const house of houses.splice(0)) rmSync(house, { recursive: true, force: true });
});

const faults: { fault: string; files: Record<string, string>; rule: string | null }[] = [
  { fault: 'nothing', files: {}, rule: null },
  {
    fault: 'an arrow that points down',
    files: { 'packages/cli/src/a.ts': "import '@woods/protocol';\n" },
    rule: null,
  },
  {
    fault: 'an upward import',
    files: { 'packages/protocol/src/a.ts': "import '@woods/index';\n" },
    rule: 'protocol-points-down',
  },
  {
    fault: 'a type-only upward import',
    files: { 'packages/posix/src/a.ts': "import type {} from '@woods/watch';\n" },
    rule: 'posix-points-down',
  },
  {
    fault: 'a supervisor that imports the index',
    files: { 'packages/supervisor/src/a.ts': "export const load = () => import('@woods/index');\n" },
    rule: 'supervisor-points-down',
  },
  {
    fault: 'a circle between two files',
    files: {
      'packages/watch/src/a.ts': "import './b.ts';\n",
      'packages/watch/src/b.ts': "import './a.ts';\n",
    },
    rule: 'no-circle',
  },
  {
    fault: 'a door beside index.ts',
    files: {
      'packages/protocol/src/inner.ts': 'export {};\n',
      'packages/worker/src/a.ts': "import '../../protocol/src/inner.ts';\n",
    },
    rule: 'only-the-index-is-public',
  },
  {
    fault: 'an import of nothing',
    files: { 'packages/watch/src/a.ts': "import './gone.ts';\n" },
    rule: 'resolvable',
  },
];

describe('the check of the arrows', () => {
  it.each(faults)('sees $fault as $rule', async ({ files, rule }) => {
    const house = build(files);
    const { code, output } = await check(house);
    if (rule === null) {
      expect(output).toContain('no dependency violations found');
      expect(code).toBe(0);
    } else {
      expect(output).toContain(rule);
      expect(code).not.toBe(0);
    }
  });
});

function build(files: Record<string, string>): string {
  const house = mkdtempSync(join(tmpdir(), 'woods-arrows-'));
  houses.push(house);
  for (const name of ['.dependency-cruiser.mjs', 'tsconfig.base.json', 'tsconfig.arrows.json', 'package.json']) {
    cpSync(join(repository, name), join(house, name));
  }
  symlinkSync(join(repository, 'node_modules'), join(house, 'node_modules'));
  for (const name of packages) write(house, `packages/${name}/src/index.ts`, 'export {};\n');
  for (const [path, text] of Object.entries(files)) write(house, path, text);
  return house;
}

function write(house: string, path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

async function check(house: string): Promise<{ code: number; output: string }> {
  const program = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  try {
    const { stdout } = await run(process.execPath, [program, '--config', '.dependency-cruiser.mjs', 'packages'], {
      cwd: house,
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }; // execFile's rejection carries both
    return { code, output: stdout };
  }
}
