/** A small TypeScript project in a git repository in a temporary directory. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const projects: string[] = [];

const small: Record<string, string> = {
  'package.json':
    '{ "name": "orchard", "version": "1.0.0", "type": "module", "scripts": { "start": "node src/main.js" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" } }\n',
  '.gitignore': 'node_modules\n',
  'src/tree.ts': [
    '/** A tree that bears fruit. */',
    'export class Tree {',
    '  constructor(readonly kind: string) {}',
    '  ripen(days: number): boolean {',
    '    return ripeness(days) > 0.5;',
    '  }',
    '}',
    '',
    'export function ripeness(days: number): number {',
    '  return Math.min(1, days / 90);',
    '}',
    '',
  ].join('\n'),
  'src/main.ts': [
    "import { Tree, ripeness } from './tree.js';",
    '',
    'export function harvest(days: number): number {',
    "  const tree = new Tree('apple');",
    '  return tree.ripen(days) ? ripeness(days) : 0;',
    '}',
    '',
  ].join('\n'),
};

export function makeProject(files: Record<string, string> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'woods-project-')));
  projects.push(root);
  for (const [path, text] of Object.entries({ ...small, ...files })) save(root, path, text);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t.example', 'commit', '-qm', 'first');
  return root;
}

export function save(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** For afterEach. */
export function removeProjects(): void {
  for (const root of projects.splice(0)) rmSync(root, { recursive: true, force: true });
}
