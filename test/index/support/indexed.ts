import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Indexer, type IndexReader, openIndexer, openReader } from '@woods/index';
import { loadConfig } from '@woods/protocol';
import { onTestFinished } from 'vitest';

export interface Project {
  readonly root: string;
  readonly indexDir: string;
  put(path: string, text: string | Buffer): void;
  drop(path: string): void;
  /** An indexer as a new process would have it. */
  open(): Promise<Indexer>;
  /** What a reader finds; the reader is closed again. */
  read<T>(ask: (reader: IndexReader) => T): T;
}

/** A project in a directory of its own, gone when the test is over. */
export function newProject(files: { readonly [path: string]: string } = {}): Project {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'woods-index-')));
  const root = join(home, 'root');
  const indexDir = join(home, 'index');
  mkdirSync(root);
  const opened: Indexer[] = [];
  onTestFinished(async () => {
    for (const indexer of opened) await indexer.close();
    rmSync(home, { recursive: true, force: true });
  });
  const put: Project['put'] = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  return {
    root,
    indexDir,
    put,
    drop: (path) => rmSync(join(root, path), { recursive: true }),
    async open() {
      const config = loadConfig({ root, env: { WOODS_OUTPUT: indexDir, HOME: home } });
      const indexer = await openIndexer({ root, indexDir, config });
      opened.push(indexer);
      return indexer;
    },
    read(ask) {
      const reader = openReader(indexDir);
      try {
        return ask(reader);
      } finally {
        reader.close();
      }
    },
  };
}
