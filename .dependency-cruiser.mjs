/** The arrows of docs/architecture.md: packages point down only, and are entered only by their index. */
const below = {
  protocol: [],
  posix: ['protocol'],
  supervisor: ['protocol', 'posix'],
  watch: ['protocol', 'posix'],
  index: ['protocol', 'posix', 'watch'],
  worker: ['protocol', 'posix', 'watch', 'index'],
  fullread: ['protocol', 'posix', 'watch', 'index'],
  worktrees: ['protocol', 'posix', 'watch', 'index'],
  mcp: ['protocol', 'posix', 'watch', 'index', 'fullread'],
  cli: ['protocol', 'posix', 'watch', 'index', 'worker', 'supervisor', 'fullread', 'worktrees', 'mcp'],
};

const upward = Object.entries(below).map(([name, allowed]) => ({
  name: `${name}-points-down`,
  comment: `${name} may import ${allowed.length === 0 ? 'no other package of ours' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: '^packages/([^/]+)/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

export default {
  forbidden: [
    ...upward,
    {
      name: 'no-circle',
      comment: 'a circle between files cannot be read from the bottom up',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-the-index-is-public',
      comment: 'packages are entered by src/index.ts',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/([^/]+)/src/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'resolvable',
      comment: 'an import that resolves to nothing hides an arrow',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.arrows.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
