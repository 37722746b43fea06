import { posix } from 'node:path';
import type { Random } from './random.ts';

/** Names that every module may declare and import: few, so that they meet, and some that break careless tables. */
const NAMES = ['alpha', 'Beta', 'gamma', 'Delta', 'eps', 'Zeta', 'run', 'toJSON', '__proto__'];

/** Text of other modules by path. */
export type Texts = ReadonlyMap<string, string>;

/** An unfinished statement, as an editor saves it. */
const HALF_TYPED = 'export function unfinished( {\n  return [1, 2';

/** Text of a random module at `path`, which refers to some of the other paths and to some that are not there. */
export function moduleText(random: Random, path: string, others: Texts): string {
  const lines = [`/** Module number ${random.below(1000)} */`];
  const imported: string[] = [];
  for (let count = 1 + random.below(4); count > 0; count--) lines.push(importLine(random, path, others, imported));
  for (let count = random.below(3); count > 0; count--) lines.push(reexportLine(random, path, others));
  for (let count = isBarrel(path) ? 3 : 0; count > 0; count--) {
    lines.push(`export * from ${JSON.stringify(specifierOf(random, path, others))};`);
  }
  for (let count = random.below(5); count > 0; count--) lines.push(...declarationLines(random, imported));
  if (random.chance(0.3))
    lines.push(`describe('suite ${random.below(5)}', () => { it('works', () => { ${callOf(random, imported)} }); });`);
  return `${lines.join('\n')}\n`;
}

export function halfTyped(text: string, random: Random): string {
  const lines = text.split('\n');
  lines.splice(random.below(lines.length), 0, HALF_TYPED);
  return lines.join('\n');
}

/** One line leads somewhere else or is called otherwise; most that the file exports stays. */
export function withSmallEdit(text: string, random: Random, path: string, others: Texts): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  lines[at] = / from "/.test(line)
    ? line.replace(/"[^"]*"/, () => JSON.stringify(specifierOf(random, path, others)))
    : line.replace(new RegExp(`\\b(?:${NAMES.join('|')})\\b(?!\\d)`), () => random.pick(NAMES));
  return lines.join('\n');
}

/** Same declarations, other lines: nothing that other files can see. */
export function withOtherBody(text: string, random: Random): string {
  return `// ${'x'.repeat(random.below(30))}\n\n${text}`;
}

/** Files that mostly pass on what others export. */
function isBarrel(path: string): boolean {
  return /(?:^|\/)index\d?\.[^/]*$/i.test(path);
}

/** Where an import leads and a name that it may find there. */
function importOf(random: Random, path: string, others: Texts): { specifier: string; name: string } {
  const target = random.pick([path, ...others.keys()]);
  const specifier = specifierOf(random, path, others, target);
  const exported = [
    ...(others.get(target) ?? '').matchAll(/export (?:function|class|const|interface|type|namespace) (\w+)/g),
  ];
  const names = exported.flatMap(([, name]) => (name === undefined ? [] : [name]));
  return { specifier, name: random.pick(names.length > 0 && random.chance(0.8) ? names : NAMES) };
}

function specifierOf(random: Random, path: string, others: Texts, wanted?: string): string {
  if (random.chance(0.05)) return random.pick(['./missing', '../src/missing', 'left-pad', '@app/none', 'pkg-a/none']);
  if (random.chance(0.1)) return random.pick(['pkg-a', 'pkg-b', '@app/core', '@app/util', './index', '..', '.']);
  const target = wanted ?? random.pick([path, ...others.keys()]);
  const relative = posix.relative(posix.dirname(path), target);
  const dotted = relative.startsWith('.') ? relative : `./${relative}`;
  if (random.chance(0.3)) return dotted.replace(/\.tsx?$/, '.js');
  return random.chance(0.1) ? posix.dirname(dotted) : dotted.replace(/\.[cm]?[jt]sx?$/, '');
}

function importLine(random: Random, path: string, others: Texts, imported: string[]): string {
  const { specifier, name } = importOf(random, path, others);
  const from = JSON.stringify(specifier);
  const local = `${name}${random.below(50)}`;
  imported.push(local);
  return random.pick([
    `import { ${name} as ${local} } from ${from};`,
    `import { ${name} as ${local} } from ${from};`,
    `import { ${name} as ${local} } from ${from};`,
    `import { type ${name} as ${local} } from ${from};`,
    `import ${local} from ${from};`,
    `import * as ${local} from ${from};`,
    `const ${local} = await import(${from});`,
    `const { ${name}: ${local} } = require(${from});`,
  ]);
}

function reexportLine(random: Random, path: string, others: Texts): string {
  const { specifier, name } = importOf(random, path, others);
  const from = JSON.stringify(specifier);
  return random.pick([
    `export * from ${from};`,
    `export * from ${from};`,
    `export { ${name} } from ${from};`,
    `export { ${name} as ${random.pick(NAMES)} } from ${from};`,
    `export * as ${name} from ${from};`,
    `export { ${name} as default } from ${from};`,
  ]);
}

function declarationLines(random: Random, imported: readonly string[]): string[] {
  const name = random.pick(NAMES);
  const base = imported.length > 0 && random.chance(0.6) ? ` extends ${baseOf(random, imported)}` : '';
  const call = callOf(random, imported);
  return random.pick([
    [`export function ${name}() { ${call} }`],
    [`function ${name}() { ${call} }`, `export { ${name} };`],
    [
      `export class ${name}${base} {`,
      `  field = new ${baseOf(random, imported)}();`,
      ...methodLines(random, call),
      '}',
    ],
    [`export default class${base} {`, ...methodLines(random, call), '}'],
    [`export interface ${name}${base} { run(): void }`],
    [`export type ${name} = string;`],
    [`export const ${name} = { run() { ${call} }, toJSON: () => { ${call} } };`],
    [`export const ${name} = ${imported[0] ?? 'undefined'};`],
    [`export const ${name} = () => { ${call} };`],
    [`export namespace ${name} { export function run() { ${call} } }`],
  ]);
}

function methodLines(random: Random, call: string): string[] {
  return [
    `  run() { ${call} this.${random.pick(NAMES)}(); this.field.run(); super.run(); }`,
    `  static ${random.pick(NAMES)}() { ${call} this.run(); }`,
  ];
}

function baseOf(random: Random, imported: readonly string[]): string {
  const root = imported.length > 0 ? random.pick(imported) : random.pick(NAMES);
  return random.chance(0.3) ? `${root}.${random.pick(NAMES)}` : root;
}

function callOf(random: Random, imported: readonly string[]): string {
  const callee = random.chance(0.7) ? baseOf(random, imported) : random.pick(NAMES);
  return random.pick([`${callee}();`, `new ${callee}().run();`, `${callee}.run();`, `[1].map(() => ${callee}());`]);
}
