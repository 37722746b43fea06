/** The names behind the classes of worker.md, one line a reason. */

export const RESTART_NAMES: ReadonlySet<string> = new Set([
  'package.json',
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'deno.lock'],
  'pnpm-workspace.yaml',
  ...['.npmrc', '.nvmrc', '.node-version', '.tool-versions'],
  'woods.json',
]);

export const RESTART_PATTERNS: readonly RegExp[] = [/^[tj]sconfig.*\.json$/, /^\.env/];

/** Written last by an installation, which can satisfy look-ups that failed before it. */
export const INSTALL_MARKERS: readonly string[] = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
];

export const RESCAN_NAMES: ReadonlySet<string> = new Set(['.gitignore', '.woodsignore']);

export const SOURCE_EXTENSIONS: ReadonlySet<string> = new Set([
  ...['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  ...['.py', '.rb', '.go', '.rs', '.java', '.kt', '.php', '.cs', '.c', '.h', '.cc', '.cpp', '.hpp', '.swift', '.sh'],
  ...['.vue', '.svelte', '.astro'],
]);

/** Source by its extension, yet nothing links through it: tests, stories. */
export const SPECIAL_SOURCES = /(?:\.(?:test|spec|e2e|bench|cy|stories)\.[a-z]+|_test\.(?:go|py)|_spec\.rb)$/;

export const SPECIAL_FOLDERS: ReadonlySet<string> = new Set([
  '__tests__',
  'migrations',
  'migration',
  'locales',
  'translations',
]);

export const INDEXED_DATA: ReadonlySet<string> = new Set([
  ...['.md', '.mdx', '.markdown', '.rst', '.adoc'],
  ...['.json', '.jsonc', '.json5', '.yml', '.yaml', '.toml', '.xml', '.ini', '.properties'],
  ...['.graphql', '.gql', '.prisma', '.sql', '.proto', '.xsd'],
  ...['.po', '.pot', '.ftl', '.arb'],
  ...['.html', '.htm', '.hbs', '.ejs', '.pug', '.njk', '.liquid', '.mustache', '.erb', '.haml'],
  ...['.css', '.scss', '.sass', '.less', '.styl'],
]);
