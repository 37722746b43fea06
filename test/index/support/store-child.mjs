/**
 * A process of its own for tests of the store: `node store-child.mjs <role> <index directory> [argument]`. Says one
 * line a fact on stdout. Runs what is built, as every process of ours does.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , role, indexDir, argument] = process.argv;
const say = (line) => fs.writeSync(1, `${line}\n`);

/** Calls that change something on disk; the process kills itself at the n-th of them. */
const CHANGES = [
  'mkdirSync',
  'openSync',
  'writeSync',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'writeFileSync',
];

function dieAtChange(number) {
  let count = 0;
  for (const name of CHANGES) {
    const original = fs[name];
    fs[name] = (...given) => {
      count += 1;
      if (count === number) process.kill(process.pid, 'SIGKILL');
      return original(...given);
    };
  }
  syncBuiltinESMExports();
}

const FILES = 12;

function block(number, version) {
  const path = `src/file${number}.ts`;
  const source = `export const value = '${'x'.repeat(2000)} ${version}';\n`;
  const hash = createHash('sha256').update(source).digest('hex');
  const unit = (identifier, type, name) => ({
    identifier,
    type,
    name,
    namespace: null,
    span: { start: 0, end: source.length, startLine: 1, endLine: 2 },
    signature: `version ${version}`,
    doc: null,
    metadata: { version },
    contentHash: hash.slice(0, 16),
  });
  const target = `src/file${(number + 1) % FILES}.ts#value`;
  return {
    input: {
      path,
      size: source.length,
      mtimeNs: 1n,
      ctimeNs: 1n,
      ino: 1n,
      hash,
      language: 'typescript',
      skipped: null,
    },
    units: [unit(path, 'module', `file${number}.ts`), unit(`${path}#value`, 'variable', 'value')],
    edges: [{ source: path, target, via: 'import', resolution: 'import', line: 1 }],
    source,
  };
}

async function publishForEver(store) {
  const published = store.loadPublished(indexDir);
  let version = published.kind === 'ok' ? published.pointer.number : 0;
  for (;;) {
    const blocks =
      version === 0 ? Array.from({ length: FILES }, (_, at) => block(at, 0)) : [block(version % FILES, version)];
    const manifest = { reason: `version ${version}`, root: '/', configFingerprint: 'f', git: null, held: [] };
    const { pointer } = await store.publishGeneration({ indexDir, blocks, removed: [], manifest, retention: 2 });
    await store.mergeIfNeeded({ indexDir, maxSegments: 3 });
    version = pointer.number;
    say(`published ${version}`);
  }
}

async function publishOnce(store, bytes) {
  const small = block(0, 1);
  const source = 'y'.repeat(Number(bytes));
  const hash = createHash('sha256').update(source).digest('hex');
  const large = { ...small, input: { ...small.input, size: source.length, hash }, source };
  const manifest = { reason: 'large', root: '/', configFingerprint: 'f', git: null, held: [] };
  try {
    const { pointer } = await store.publishGeneration({
      indexDir,
      blocks: [large],
      removed: [],
      manifest,
      retention: 3,
    });
    say(`published ${pointer.number}`);
  } catch (error) {
    say(`${error.name} ${error.errno ?? ''}: ${error.message}`);
  }
}

async function takeLock(store) {
  const onWait = (holder) => say(`waiting for ${holder?.name} ${holder?.pid}`);
  try {
    const lock = await store.acquireWriterLock(indexDir, { name: 'test child', waitMs: Number(argument), onWait });
    process.once('SIGTERM', () => {
      lock.release();
      process.exit(0);
    });
    setInterval(() => undefined, 1000);
    say(`locked ${process.pid}`);
  } catch (error) {
    say(`${error.name}: ${error.message}`);
  }
}

async function pinGeneration() {
  const { openReader } = await import('../../../packages/index/dist/read/index.js');
  const reader = openReader(indexDir);
  await reader.pinned(async (queries, hold) => {
    const awake = setInterval(() => undefined, 1000);
    const asked = new Promise((resolve) => process.once('SIGTERM', resolve));
    say(`${hold.state} ${queries.generation().number}`);
    await asked;
    clearInterval(awake);
    say(`reads ${queries.source('src/file0.ts').length}`);
  });
  say('let go');
}

function putRecords(store) {
  const pack = store.openPack({ dir: indexDir });
  for (let number = 0; number < Number(argument); number += 1) pack.put(`${process.pid}-${number}`, `{"n":${number}}`);
  pack.flush();
  setInterval(() => undefined, 1000);
  say('flushed');
}

const store = await import('../../../packages/index/dist/store/index.js');
if (role === 'publish') {
  if (argument !== undefined) dieAtChange(Number(argument));
  await publishForEver(store);
}
if (role === 'publish-once') await publishOnce(store, argument);
if (role === 'lock') await takeLock(store);
if (role === 'pin') await pinGeneration();
if (role === 'pack') putRecords(store);
