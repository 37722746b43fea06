/** What `woods` answers from a published index. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn, type Shape, shapeOf } from './support/json.ts';
import type { Ended } from './support/woods.ts';

const TWO = 'export class Left {\n  grow(): void {}\n}\nexport class Right {\n  grow(): void {}\n}\n';
const ODD = "/** A doc\n * in two lines. */\nexport function tilde(a = '\u001b[31m'): string {\n  return a;\n}\n";

let root = '';
beforeAll(async () => {
  root = makeProject({ 'src/two.ts': TWO, 'src/odd.ts': ODD });
  const { code, stderr } = await inProcess(['extract'], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});
afterAll(removeProjects);

const ask = (...args: string[]): Promise<Ended> => inProcess(args, { cwd: root });
const askJson = async (...args: string[]) => objectOn((await ask(...args, '--json')).stdout);

/** What every answer from the index carries. */
const AROUND = {
  index: { directory: 'string', generation: 'number', published_at: 'string' },
  watch: { alive: 'boolean', state: 'null', reason: 'string' },
  held: [],
} satisfies Record<string, Shape>;

const SUMMARY = { identifier: 'string', type: 'string', name: 'string', file_path: 'string', line: 'number' };

describe('woods lookup', () => {
  it.each(['ripeness', 'src/tree.ts#ripeness'])('finds a unit by name and by identifier: %s', async (name) => {
    const { code, stdout } = await ask('lookup', name);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/tree\.ts#ripeness {2}function {2}src\/tree\.ts:9-11\n/);
    expect(stdout).toMatch(/used by 3 units:\n/);
    expect(stdout).toMatch(/ {2}src\/main\.ts#harvest +call +src\/main\.ts:5\n/);
    expect(stdout).toMatch(
      /\n\nexport function ripeness\(days: number\): number \{\n {2}return Math\.min\(1, days \/ 90\);\n\}\n$/,
    );
  });

  it('leaves the source out when told to', async () => {
    const { stdout } = await ask('lookup', 'Tree', '--no-source');
    expect(stdout).toContain('A tree that bears fruit.');
    expect(stdout).not.toContain('constructor(readonly');
    expect(await askJson('lookup', 'Tree', '--no-source')).not.toHaveProperty('unit.source_code');
  });

  it('lists all units that share a name, and picks none', async () => {
    const { code, stdout, stderr } = await ask('lookup', 'grow');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^woods: 2 units are called grow; ask for one of them by its identifier\n/);
    expect(stderr).toMatch(/src\/two\.ts#Left\.grow +method +line 2\n/);
    expect(stderr).toMatch(/src\/two\.ts#Right\.grow +method +line 5\n/);
    expect(await askJson('lookup', 'grow')).toMatchObject({
      error: {
        code: 'ambiguous',
        total: 2,
        candidates: [{ identifier: 'src/two.ts#Left.grow' }, { identifier: 'src/two.ts#Right.grow' }],
      },
    });
    expect((await ask('lookup', 'Left.grow')).code).toBe(0);
  });

  it('names the nearest ones for a name that no unit has', async () => {
    const { code, stdout, stderr } = await ask('lookup', 'ripenes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^woods: no unit is called ripenes; the nearest names are\n/);
    expect(stderr).toMatch(/src\/tree\.ts#ripeness +function +line 9\n/);
    const { error, watch } = await askJson('lookup', 'ripenes');
    expect(error).toMatchObject({
      code: 'not_found',
      nearest: [{ identifier: 'src/tree.ts#ripeness' }, { identifier: 'src/tree.ts#Tree.ripen' }],
    });
    expect(watch).toMatchObject({ alive: false });
    expect((await ask('lookup', 'qqqqqqqqqq')).stderr).toMatch(
      /and none has a name like it; `woods search` looks further/,
    );
  });

  it('prints nothing of a tree that would move the cursor', async () => {
    const { stdout } = await ask('lookup', 'tilde', '--no-source');
    expect(stdout).not.toContain('\u001b');
    const { stderr } = await ask('lookup', 'no\u001b[2Jsuch\nname');
    expect(stderr).toContain('no\\u001b[2Jsuch\\u000aname');
  });

  it('has one shape of JSON', async () => {
    expect(shapeOf(await askJson('lookup', 'harvest'))).toEqual({
      ...AROUND,
      unit: {
        identifier: 'string',
        type: 'string',
        name: 'string',
        namespace: 'null',
        file_path: 'string',
        language: 'string',
        span: { start: 'number', end: 'number', start_line: 'number', end_line: 'number' },
        signature: 'string',
        doc: 'null',
        metadata: expect.any(Object),
        content_hash: 'string',
        source_code: 'string',
        dependencies: [{ target: 'string', via: 'string', resolution: 'string', line: 'number' }],
        dependents: [],
        partial: 'boolean',
      },
    });
  });
});

describe('woods search', () => {
  it('finds units by a part of their name, in lines that cut well', async () => {
    const { code, stdout } = await ask('search', 'ripe');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/tree\.ts#ripeness +function +src\/tree\.ts:9$/m);
    expect(stdout).toMatch(/^src\/tree\.ts#Tree\.ripen +method +src\/tree\.ts:4$/m);
  });

  it('finds by types, paths, expressions and source', async () => {
    expect((await ask('search', 'ripe', '--type', 'method')).stdout).toMatch(/^src\/tree\.ts#Tree\.ripen /);
    expect((await ask('search', 'e', '--path', 'src/two.ts', '--limit', '1000')).stdout).not.toContain('src/tree.ts');
    expect((await ask('search', '^harv', '--match', 'regex')).stdout).toMatch(/^src\/main\.ts#harvest /);
    expect((await ask('search', 'days / 90', '--source')).stdout).toMatch(
      /^src\/tree\.ts#ripeness +function +src\/tree\.ts:10 +return Math\.min\(1, days \/ 90\);$/m,
    );
    expect((await ask('search', 'RIPENESS', '--case-sensitive')).code).toBe(1);
  });

  it('ends with 1 and says so when nothing matches', async () => {
    const { code, stdout, stderr } = await ask('search', 'zzz');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^woods: nothing matches zzz\n/);
    expect(await askJson('search', 'zzz')).toMatchObject({ hits: [], total: 0, partial: false });
  });

  it('says what it did with what is odd: a bad expression, an unknown type, an empty pattern, a list that was cut', async () => {
    expect((await ask('search', '(', '--match', 'regex')).stderr).toMatch(/taken literally/);
    expect((await ask('search', 'e', '--type', 'klass')).stderr).toMatch(
      /the index has no units of type klass; it has class, /,
    );
    expect(await ask('search', '')).toMatchObject({ code: 2, stderr: expect.stringMatching(/expected a pattern/) });
    expect((await ask('search', 'e', '--limit', '1')).stderr).toMatch(
      /the answer is partial, 1 of \d+ matches: --limit/,
    );
  });

  it('has one shape of JSON', async () => {
    expect(shapeOf(await askJson('search', 'harvest', '--match', 'exact'))).toEqual({
      ...AROUND,
      pattern: 'string',
      hits: [{ ...SUMMARY, field: 'string', kind: 'string', text: 'null' }],
      total: 'number',
      partial: 'boolean',
      reason: 'null',
      notes: [],
    });
  });
});

describe('woods deps', () => {
  it('lists what a unit uses, with how and where', async () => {
    const { code, stdout } = await ask('deps', 'harvest');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/main\.ts#harvest uses \d units\n/);
    expect(stdout).toMatch(/^ {2}src\/tree\.ts#ripeness +call +src\/main\.ts:5$/m);
    expect(stdout).toMatch(/^ {2}src\/tree\.ts#Tree +new +src\/main\.ts:4$/m);
  });

  it('goes the other way, and as far as it is told', async () => {
    expect((await ask('deps', 'ripeness', '--reverse')).stdout).toMatch(/^ {2}src\/tree\.ts#Tree\.ripen +call /m);
    const { stdout } = await ask('deps', 'ripeness', '--reverse', '--depth', '2');
    expect(stdout).toMatch(/^src\/tree\.ts#ripeness is used by \d+ units\n/);
  });

  it('follows only what it is told, and says when there is no such thing', async () => {
    const calls = await askJson('deps', 'harvest', '--via', 'new');
    expect(calls).toMatchObject({ nodes: [{ identifier: 'src/tree.ts#Tree', depth: 1 }], edges: [{ via: 'new' }] });
    const { code, stdout, stderr } = await ask('deps', 'harvest', '--via', 'cal');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'src/main.ts#harvest uses nothing\n' });
    expect(stderr).toMatch(/the index has no edges of kind cal; it has call, /);
  });

  it('says that it was cut', async () => {
    const { stderr } = await ask('deps', 'harvest', '--limit', '1');
    expect(stderr).toMatch(/the answer is partial: it was cut at 1 units; --limit raises that/);
    expect(await askJson('deps', 'harvest', '--limit', '1')).toMatchObject({ partial: true, reason: 'node_budget' });
  });

  it('treats names as lookup does', async () => {
    expect((await ask('deps', 'grow')).code).toBe(1);
    expect(await askJson('deps', 'nosuch')).toMatchObject({ error: { code: 'not_found' } });
  });

  it('has one shape of JSON', async () => {
    expect(shapeOf(await askJson('deps', 'harvest'))).toEqual({
      ...AROUND,
      unit: SUMMARY,
      direction: 'string',
      depth: 'number',
      nodes: [{ ...SUMMARY, depth: 'number' }],
      edges: [{ source: 'string', target: 'string', via: 'string', resolution: 'string', line: 'number' }],
      partial: 'boolean',
      reason: 'null',
    });
  });
});

describe('woods stats', () => {
  it('counts', async () => {
    const { code, stdout } = await ask('stats');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^generation 1, published \d{4}-/);
    expect(stdout).toMatch(/units by type:\n/);
    const { stats, git } = await askJson('stats');
    expect(stats).toMatchObject({ units_by_type: { class: 3, method: 4 }, held: 0 });
    expect(git).toMatchObject({ branch: 'main' });
  });

  it('has one shape of JSON', async () => {
    expect(shapeOf(await askJson('stats'))).toEqual({
      ...AROUND,
      stats: {
        files: 'number',
        skipped: 'number',
        held: 'number',
        units: 'number',
        edges: 'number',
        source_bytes: 'number',
        units_by_type: expect.any(Object),
        edges_by_via: expect.any(Object),
        edges_by_resolution: expect.any(Object),
        files_by_language: expect.any(Object),
        segments: 'number',
        index_bytes: 'number',
      },
      git: { sha: 'string', branch: 'string', dirty: 'boolean' },
    });
  });
});

describe('woods validate', () => {
  it('finds nothing in a generation that is whole', async () => {
    expect(await ask('validate')).toMatchObject({ code: 0, stdout: 'generation 1 is whole\n' });
    expect(await askJson('validate')).toMatchObject({ valid: true, generation: 1, findings: [] });
  });
});

describe('woods export --canonical', () => {
  it('prints the same bytes for the same tree, wherever and whenever it was indexed', async () => {
    const first = await ask('export', '--canonical');
    expect(first.code).toBe(0);
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ unit: 'src/tree.ts#ripeness', type: 'function' }),
        expect.objectContaining({ edge: 'src/main.ts#harvest', target: 'src/tree.ts#ripeness', via: 'call' }),
      ]),
    );
    expect(first.stdout).not.toContain(root);
    await ask('extract', '--output', 'tmp/other');
    expect((await ask('export', '--canonical', '--output', 'tmp/other')).stdout).toBe(first.stdout);
    const { canonical } = await askJson('export', '--canonical');
    expect(canonical).toHaveLength(lines.length);
  });
});
