import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IndexReader, openReader, type SearchOptions } from '../../packages/index/src/read/index.ts';
import { editDistance } from '../../packages/index/src/read/nearest.ts';
import { isWordStart } from '../../packages/index/src/read/pattern.ts';
import { fileBlock, publish, removeIndexDirs, skippedBlock, temporaryIndexDir } from './support/store-blocks.ts';

let reader: IndexReader;

beforeEach(async () => {
  const indexDir = temporaryIndexDir();
  await publish(indexDir, [
    fileBlock('src/tree.ts', { units: ['Tree', 'Tree.ripen', 'ripeness', 'parseTree', 'HTMLTree', 'subtree'] }),
    fileBlock('src/main.ts', {
      units: ['main', 'ripen'],
      edges: [
        [null, 'src/tree.ts', { via: 'import' }],
        ['main', 'src/tree.ts#Tree', { via: 'new', line: 7 }],
        ['main', 'src/tree.ts#Tree.ripen', { line: 8 }],
        ['main', 'src/tree.ts#Tree.ripen', { line: 9 }],
        ['main', 'src/tree.ts#subtree', { resolution: 'name' }],
      ],
    }),
    fileBlock('test/tree.test.ts', { units: ['grows'], edges: [['grows', 'src/main.ts#main', { via: 'tests' }]] }),
    fileBlock('lib/tree.ts', {
      units: ['Leaf'],
      source: 'function Leaf() {}\nconst ünï = leaf(); // leaf leaf\nleaf();\n',
    }),
    skippedBlock('logo.png', 'binary'),
  ]);
  // In a segment of its own, and one edge that goes the other way round between segments.
  await publish(indexDir, [
    fileBlock('src/wood.ts', {
      units: ['grow'],
      edges: [
        ['grow', 'src/main.ts#main'],
        ['grow', 'src/wood.ts#grow'],
      ],
    }),
    fileBlock('src/tree.ts', {
      units: ['Tree', 'Tree.ripen', 'ripeness', 'parseTree', 'HTMLTree', 'subtree'],
      version: 1,
      edges: [
        ['Tree.ripen', 'src/tree.ts#ripeness'],
        ['ripeness', 'src/wood.ts#grow'],
      ],
    }),
  ]);
  reader = openReader(indexDir);
});
afterEach(removeIndexDirs);

describe('looking up', () => {
  it.each([
    ['an identifier', 'src/tree.ts#Tree', 'src/tree.ts#Tree', 'identifier'],
    ['a path', 'src/main.ts', 'src/main.ts', 'identifier'],
    ['a name that one unit has', 'ripeness', 'src/tree.ts#ripeness', 'name'],
    ['a qualified name', 'Tree.ripen', 'src/tree.ts#Tree.ripen', 'name'],
    ['the end of an identifier', 'main.ts#main', 'src/main.ts#main', 'name'],
    ['the end of a path', 'tree.test.ts', 'test/tree.test.ts', 'name'],
  ])('%s finds the unit', (_, query, identifier, by) => {
    expect(reader.lookup(query)).toMatchObject({ kind: 'found', by, unit: { identifier } });
  });

  it('a name that several have lists them all, and a limit says how many there are', () => {
    expect(reader.lookup('tree.ts')).toEqual({
      kind: 'ambiguous',
      total: 2,
      candidates: [
        { identifier: 'lib/tree.ts', type: 'module', name: 'tree.ts', path: 'lib/tree.ts', line: 1 },
        { identifier: 'src/tree.ts', type: 'module', name: 'tree.ts', path: 'src/tree.ts', line: 1 },
      ],
    });
    expect(reader.lookup('tree.ts', { limit: 1 })).toMatchObject({ kind: 'ambiguous', total: 2, candidates: [{}] });
  });

  it.each([
    ['another case', 'tREE', 'src/tree.ts#Tree'],
    ['a letter missing', 'ripenes', 'src/tree.ts#ripeness'],
    ['two letters swapped', 'riepness', 'src/tree.ts#ripeness'],
    ['a beginning', 'parse', 'src/tree.ts#parseTree'],
    ['a path with a wrong name', 'src/tree.ts#ripenes', 'src/tree.ts#ripeness'],
    ['a wrong path with a name', 'src/three.ts#parseTree', 'src/tree.ts#parseTree'],
  ])('%s is not found, and the nearest is named', (_, query, nearest) => {
    const result = reader.lookup(query);
    expect(result.kind === 'not_found' && result.nearest[0]?.identifier).toBe(nearest);
    expect(() => reader.dependencies(query)).toThrow(
      expect.objectContaining({ name: 'UnitNotFound', code: 'not_found', message: expect.stringContaining(nearest) }),
    );
  });

  it('names nothing near where nothing is', () => {
    expect(reader.lookup('zzzzzzzzzzzz')).toEqual({ kind: 'not_found', nearest: [] });
    expect(reader.lookup('')).toEqual({ kind: 'not_found', nearest: [] });
    expect(() => reader.source('zzzzzzzzzzzz')).toThrow(/nothing looks like it/);
  });

  it('counts edits', () => {
    expect(editDistance('tree', 'tree', 2)).toBe(0);
    expect(editDistance('tree', 'tere', 2)).toBe(1);
    expect(editDistance('tree', 'three', 2)).toBe(1);
    expect(editDistance('tree', 'leaves', 2)).toBeNull();
    expect(editDistance('', 'ab', 2)).toBe(2);
  });
});

describe('walking the edges', () => {
  const brief = (walk: ReturnType<IndexReader['dependencies']>) =>
    walk.nodes.map(({ unit, depth }) => `${depth} ${unit.identifier}`);

  it('goes one step by default, and leaves guesses out', () => {
    const walk = reader.dependencies('src/main.ts#main');
    expect(brief(walk)).toEqual(['1 src/tree.ts#Tree', '1 src/tree.ts#Tree.ripen']);
    expect(walk.edges.map(({ via, line }) => `${via} ${line}`)).toEqual(['new 7', 'call 8', 'call 9']);
    expect(walk).toMatchObject({ partial: false, reason: null, root: { identifier: 'src/main.ts#main' } });
    expect(brief(reader.dependencies('src/main.ts#main', { guesses: 'include' }))).toContain('1 src/tree.ts#subtree');
  });

  it('goes on breadth-first, over segments and around circles', () => {
    expect(brief(reader.dependencies('test/tree.test.ts#grows', { depth: 9 }))).toEqual([
      '1 src/main.ts#main',
      '2 src/tree.ts#Tree',
      '2 src/tree.ts#Tree.ripen',
      '3 src/tree.ts#ripeness',
      '4 src/wood.ts#grow',
    ]);
  });

  it('goes backwards, in the order of identifiers', () => {
    expect(brief(reader.dependents('src/main.ts#main'))).toEqual(['1 src/wood.ts#grow', '1 test/tree.test.ts#grows']);
    expect(brief(reader.dependents('src/tree.ts#ripeness', { depth: 2 }))).toEqual([
      '1 src/tree.ts#Tree.ripen',
      '2 src/main.ts#main',
    ]);
  });

  it('follows only the ways that were asked for, and lists only the types', () => {
    expect(brief(reader.dependencies('src/main.ts#main', { via: ['new'] }))).toEqual(['1 src/tree.ts#Tree']);
    expect(brief(reader.dependencies('src/main.ts', { types: ['variable'] }))).toEqual([]);
    expect(brief(reader.dependents('src/tree.ts', { types: ['module'] }))).toEqual(['1 src/main.ts']);
  });

  it('says when a budget cut it, and why', () => {
    const nodes = reader.dependencies('test/tree.test.ts#grows', { depth: 9, maxNodes: 2 });
    expect(nodes).toMatchObject({ partial: true, reason: 'node_budget' });
    expect(brief(nodes)).toEqual(['1 src/main.ts#main', '2 src/tree.ts#Tree']);
    const edges = reader.dependencies('src/main.ts#main', { maxEdges: 2 });
    expect(edges).toMatchObject({ partial: true, reason: 'edge_budget' });
    expect(edges.edges).toHaveLength(2);
  });

  it.each([{ depth: 0 }, { depth: 1.5 }, { maxNodes: 0 }, { maxEdges: -1 }])('refuses %j', (options) => {
    expect(() => reader.dependencies('src/main.ts', options)).toThrow(
      expect.objectContaining({ code: 'invalid_arguments', message: expect.stringContaining('positive integer') }),
    );
  });
});

describe('searching', () => {
  const found = (options: SearchOptions) =>
    reader.search(options).hits.map(({ unit, kind }) => `${kind} ${unit.identifier}`);

  it('ranks exact before another case, beginnings, words and the middle of words', () => {
    expect(found({ pattern: 'tree', paths: ['src'] })).toEqual([
      'exact_ignoring_case src/tree.ts#Tree',
      'prefix src/tree.ts',
      'prefix src/tree.ts#Tree.ripen',
      'word src/tree.ts#HTMLTree',
      'word src/tree.ts#parseTree',
      'substring src/tree.ts#subtree',
    ]);
    expect(found({ pattern: 'Tree', paths: ['src'] })[0]).toBe('exact src/tree.ts#Tree');
  });

  it('tells where in a unit it was found', () => {
    const fieldOf = (pattern: string) => reader.search({ pattern }).hits.map(({ field }) => field);
    expect(fieldOf('grows')).toEqual(['name']);
    expect(fieldOf('Tree.rip')).toEqual(['identifier']);
    expect(fieldOf('lib/')).toEqual(['path']);
  });

  it('brings a file for its path, not each of its units', () => {
    expect(found({ pattern: 'src/tr' })).toEqual(['prefix src/tree.ts']);
    expect(found({ pattern: 'tree.ts#T' })).toEqual(['word src/tree.ts#Tree', 'word src/tree.ts#Tree.ripen']);
  });

  it.each([
    ['exact', 'ripen', ['exact src/main.ts#ripen', 'exact src/tree.ts#Tree.ripen']],
    ['prefix', 'rip', ['prefix src/main.ts#ripen', 'prefix src/tree.ts#Tree.ripen', 'prefix src/tree.ts#ripeness']],
    ['suffix', 'ness', ['suffix src/tree.ts#ripeness']],
    ['substring', 'subt', ['prefix src/tree.ts#subtree']],
    ['regex', '^r.p.n$', ['regex src/main.ts#ripen', 'regex src/tree.ts#Tree.ripen']],
  ] as const)('matches %s', (match, pattern, expected) => {
    expect(found({ pattern, match, fields: ['name'] })).toEqual(expected);
  });

  it('takes a bad regular expression literally and says so', () => {
    const result = reader.search({ pattern: 'leaf(', match: 'regex', fields: ['source'] });
    expect(result.notes).toEqual([expect.stringMatching(/no regular expression .*taken literally/)]);
    expect(result.hits.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  it('finds text in the source: the line, the innermost unit, its place in bytes', () => {
    const result = reader.search({ pattern: 'leaf', fields: ['source'], letterCase: 'respect' });
    expect(result.hits.map(({ unit, line, text }) => [unit.path, line, text])).toEqual([
      ['lib/tree.ts', 2, 'const ünï = leaf(); // leaf leaf'],
      ['lib/tree.ts', 3, 'leaf();'],
    ]);
    const inner = reader.search({ pattern: "'ripeness 1'", fields: ['source'] });
    expect(inner.hits.map(({ unit, line }) => [unit.identifier, line])).toEqual([['src/tree.ts#ripeness', 4]]);
  });

  it('counts bytes where characters take several, so that the unit is the right one', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('é.ts', { units: ['ünïcödéÜnïcödé', 'second', 'third'] })]);
    const hits = (pattern: string) => openReader(indexDir).search({ pattern, fields: ['source'] }).hits;
    expect(hits("'second").map(({ unit, line }) => [unit.name, line])).toEqual([['second', 3]]);
    expect(hits("'third").map(({ unit, line }) => [unit.name, line])).toEqual([['third', 4]]);
    expect(hits('const').map(({ unit, line }) => [unit.name, line])).toEqual([
      ['third', 4],
      ['second', 3],
      ['ünïcödéÜnïcödé', 2],
    ]);
  });

  it('searches replaced files by their new text only', () => {
    expect(found({ pattern: 'ripeness 0', fields: ['source'] })).toEqual([]);
  });

  it('keeps to types and paths', () => {
    expect(found({ pattern: 'tree', types: ['module'] })).toEqual([
      'prefix lib/tree.ts',
      'prefix src/tree.ts',
      'prefix test/tree.test.ts',
    ]);
    expect(found({ pattern: 'ripen', paths: ['src/main.ts'] })).toEqual(['exact src/main.ts#ripen']);
    expect(found({ pattern: 'leaf', paths: ['./lib/'] })).toEqual(['exact_ignoring_case lib/tree.ts#Leaf']);
    expect(found({ pattern: 'leaf', paths: ['li'] })).toEqual([]);
    expect(found({ pattern: 'leaf', paths: ['src'], fields: ['source'] })).toEqual([]);
  });

  it('says when there is more than the limit', () => {
    const result = reader.search({ pattern: 'e', limit: 2 });
    expect(result).toMatchObject({ partial: true, reason: 'limit' });
    expect(result.hits).toHaveLength(2);
    expect(result.total).toBeGreaterThan(2);
  });

  it('ends an expression that would not end, keeps what it had found, and says so', async () => {
    const indexDir = temporaryIndexDir();
    const source = `export const q = 1;\n${'a'.repeat(60)}!\n`;
    await publish(indexDir, [fileBlock('a.ts', { units: ['q'] }), fileBlock('b.ts', { source })]);
    const options = { pattern: '^(a+)+$|^q$', match: 'regex', fields: ['name', 'source'], timeLimitMs: 150 } as const;
    const result = openReader(indexDir).search(options);
    expect(result).toMatchObject({ partial: true, reason: 'time_limit' });
    expect(result.hits.map(({ unit }) => unit.identifier)).toEqual(['a.ts#q']);
  });

  it.each([{ pattern: '' }, { pattern: 'x', limit: 0 }, { pattern: 'x', limit: 1001 }])('refuses %j', (options) => {
    expect(() => reader.search(options)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  });

  it('knows where words begin', () => {
    const starts = (text: string) => [...text].flatMap((_, at) => (isWordStart(text, at) ? [at] : []));
    expect(starts('parseHTMLTree')).toEqual([0, 5, 9]);
    expect(starts('snake_case')).toEqual([0, 6]);
    expect(starts('utf8Decode')).toEqual([0, 3, 4]);
    expect(starts('a.b')).toEqual([0, 2]);
    expect(starts('ÉtéÉté')).toEqual([0, 3]);
  });
});

describe('the rest', () => {
  it('counts', () => {
    expect(reader.stats()).toMatchObject({
      generation: 2,
      files: 6,
      skipped: 1,
      units: 15 + 1,
      edges: 10,
      held: 0,
      segments: 2,
      unitsByType: [
        ['module', 5],
        ['variable', 11],
      ],
      edgesByVia: [
        ['call', 7],
        ['import', 1],
        ['new', 1],
        ['tests', 1],
      ],
      edgesByResolution: [
        ['import', 9],
        ['name', 1],
      ],
      filesByLanguage: [
        ['other', 1],
        ['typescript', 5],
      ],
    });
  });

  it('lists files, and why some were skipped', () => {
    expect(reader.files().map(({ path, units }) => `${path} ${units}`)).toContain('src/tree.ts 7');
    expect(reader.skipped()).toEqual([
      { path: 'logo.png', size: 7, hash: null, language: null, skipped: 'binary', units: 0 },
    ]);
  });

  it('gives a unit and its text', () => {
    expect(reader.unit('src/main.ts#main')).toMatchObject({
      name: 'main',
      path: 'src/main.ts',
      language: 'typescript',
    });
    expect(reader.source('src/main.ts#main')).toBe("export const main = 'main 0';");
    expect(reader.unit('src/main.ts#mai')).toBeNull();
  });
});
