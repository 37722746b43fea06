import { halfTyped, moduleText, type Texts, withOtherBody, withSmallEdit } from './module-text.ts';
import type { Random } from './random.ts';
import type { Tree } from './tree.ts';

/** Paths that an operation touched; a directory stands for all below it. */
export type Touched = readonly string[];

type Operation = (tree: Tree, random: Random) => Touched;

const DIRECTORIES = ['src', 'src/core', 'src/util', 'packages/a/src', 'packages/b/src', 'test'];
const STEMS = ['index', 'index', 'alpha', 'beta', 'gamma', 'delta', 'epsilon'];
const EXTENSIONS = ['.ts', '.ts', '.ts', '.tsx', '.js', '.d.ts', '.mts', '.cjs'];

const PACKAGE = /package\.json$/;

function moduleTexts(tree: Tree): Texts {
  return new Map(modulesOf(tree).map((path) => [path, tree.texts.get(path) ?? '']));
}

function modulesOf({ texts }: Tree): string[] {
  return [...texts.keys()].filter((path) => /\.[cm]?[jt]sx?$/.test(path)).sort();
}

function freshPath(tree: Tree, random: Random): string {
  for (;;) {
    const path = `${random.pick(DIRECTORIES)}/${random.pick(STEMS)}${random.below(4) || ''}${random.pick(EXTENSIONS)}`;
    if (!tree.texts.has(path)) return path;
  }
}

const create: Operation = (tree, random) => {
  const path = freshPath(tree, random);
  tree.write(path, moduleText(random, path, moduleTexts(tree)));
  return [path];
};

const rewrite: Operation = (tree, random) => {
  const path = random.pick(modulesOf(tree));
  tree.write(path, moduleText(random, path, moduleTexts(tree)));
  return [path];
};

const edit: Operation = (tree, random) => {
  const path = random.pick(modulesOf(tree));
  tree.write(path, withSmallEdit(tree.texts.get(path) ?? '', random, path, moduleTexts(tree)));
  return [path];
};

const changeBody: Operation = (tree, random) => {
  const path = random.pick(modulesOf(tree));
  tree.write(path, withOtherBody(tree.texts.get(path) ?? '', random));
  return [path];
};

const remove: Operation = (tree, random) => {
  const paths = modulesOf(tree);
  if (paths.length < 8) return create(tree, random);
  const path = random.pick(paths);
  tree.remove(path);
  return [path];
};

const rename: Operation = (tree, random) => {
  const from = random.pick(modulesOf(tree));
  const to = freshPath(tree, random);
  tree.move(from, to);
  return [from, to];
};

const renameCase: Operation = (tree, random) => {
  const from = random.pick(modulesOf(tree));
  const to = from.replace(/[^/]*$/, (name) =>
    name.charAt(0) === name.charAt(0).toLowerCase()
      ? name.charAt(0).toUpperCase() + name.slice(1)
      : name.charAt(0).toLowerCase() + name.slice(1),
  );
  if (tree.texts.has(to)) return changeBody(tree, random);
  tree.move(from, to);
  return [from, to];
};

const typeHalf: Operation = (tree, random) => {
  const path = random.pick(modulesOf(tree));
  tree.write(path, halfTyped(tree.texts.get(path) ?? '', random));
  return [path];
};

const touch: Operation = (tree, random) => {
  const path = random.pick(modulesOf(tree));
  tree.write(path, tree.texts.get(path) ?? '');
  return [path];
};

const moveDirectory: Operation = (tree, random) => {
  const from = random.pick(DIRECTORIES);
  const to = random.pick(DIRECTORIES);
  if (to.startsWith(from) || from.startsWith(to)) return rename(tree, random);
  const moved = modulesOf(tree).filter((path) => path.startsWith(`${from}/`));
  for (const path of moved) {
    const target = to + path.slice(from.length);
    if (!tree.texts.has(target)) tree.move(path, target);
  }
  return [from, to];
};

const changePackage: Operation = (tree, random) => {
  const path = random.pick([...tree.texts.keys()].filter((candidate) => PACKAGE.test(candidate)).sort());
  tree.write(
    path,
    JSON.stringify({
      name: random.pick(['pkg-a', 'pkg-b', 'pkg-c']),
      main: random.pick(['./dist/index.js', './src/alpha.ts', undefined]),
      exports: random.pick([undefined, { '.': './dist/index.js', './*': './src/*.ts' }]),
      scripts: { build: `build ${random.below(9)}` },
      dependencies: { [random.pick(['pkg-a', 'pkg-b', 'left-pad'])]: '*' },
    }),
  );
  return [path];
};

const changePaths: Operation = (tree, random) => {
  const target = random.pick(['src/*', 'packages/a/src/*', 'packages/b/src/*']);
  tree.write('tsconfig.json', tsconfig(target));
  return ['tsconfig.json'];
};

const changeIgnored: Operation = (tree, random) => {
  tree.write('.gitignore', random.pick(['', 'src/util/\n', '*.d.ts\n', 'delta*\n!delta1.ts\n']));
  return ['.gitignore'];
};

export function tsconfig(target: string): string {
  return `{\n  // with a comment\n  "compilerOptions": { "paths": { "@app/*": [${JSON.stringify(`./${target}`)}], },\n } }\n`;
}

/** By how often they happen. */
const OPERATIONS: readonly (readonly [name: string, operation: Operation, weight: number])[] = [
  ['create', create, 5],
  ['rewrite', rewrite, 4],
  ['edit', edit, 12],
  ['body', changeBody, 5],
  ['delete', remove, 4],
  ['rename', rename, 3],
  ['case rename', renameCase, 3],
  ['half-typed', typeHalf, 4],
  ['touch', touch, 1],
  ['move directory', moveDirectory, 1],
  ['package', changePackage, 2],
  ['paths', changePaths, 1],
  ['ignore', changeIgnored, 1],
];

const DECK = OPERATIONS.flatMap(([name, operation, weight]) =>
  Array.from({ length: weight }, () => ({ name, operation })),
);

/** One operation, or a branch switch: many at once. Returns what it did and which paths it touched. */
export function operate(tree: Tree, random: Random): { names: string[]; touched: Set<string> } {
  const names: string[] = [];
  const touched = new Set<string>();
  for (let count = random.chance(0.1) ? 2 + random.below(8) : 1; count > 0; count--) {
    const { name, operation } = random.pick(DECK);
    names.push(name);
    for (const path of operation(tree, random)) touched.add(path);
  }
  return { names, touched };
}

/** The tree that each run starts from. */
export function layOut(tree: Tree, random: Random): void {
  tree.write('package.json', JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }));
  tree.write('packages/a/package.json', JSON.stringify({ name: 'pkg-a', main: './dist/index.js' }));
  tree.write('packages/b/package.json', JSON.stringify({ name: 'pkg-b', dependencies: { 'pkg-a': '*' } }));
  tree.write('tsconfig.json', tsconfig('src/*'));
  tree.write('README.md', '# A project\n');
  for (let count = 0; count < 18; count++) create(tree, random);
}
