import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const packages = ['protocol', 'posix', 'supervisor', 'watch', 'index', 'worker', 'cli'];

export default defineConfig({
  resolve: {
    alias: packages.map((name) => ({
      find: new RegExp(`^@woods/${name}$`),
      replacement: fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url)),
    })),
  },
  test: {
    // Real processes on a machine that others use too: one more try, which the runner names beside the test.
    retry: 1,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.soak.test.ts', 'test/fixtures/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
