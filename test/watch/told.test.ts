import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BackendOptions } from '../../packages/watch/src/backend/create.ts';
import { encodePath, nativePath } from '../../packages/watch/src/bytes/path.ts';
import { git, repository, temporaryDirectory, tree, write } from './support/tree.ts';
import { BACKENDS, watch as watchWith } from './support/watching.ts';

/** What editors do to replace `path`; each leaves `text` in it and nothing else behind. */
const SAVES: Record<string, (path: string, text: string) => void> = {
  'in place': (path, text) => writeFileSync(path, text),
  'temporary file and rename': (path, text) => {
    writeFileSync(`${path}.tmp.1234`, text);
    renameSync(`${path}.tmp.1234`, path);
  },
  'vim: backup by rename, new file, backup removed': (path, text) => {
    writeFileSync(`${path}.4913`, '');
    unlinkSync(`${path}.4913`);
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    unlinkSync(`${path}~`);
  },
  'emacs: backup by copy, then in place': (path, text) => {
    copyFileSync(path, `${path}~`);
    writeFileSync(path, text);
    unlinkSync(`${path}~`);
  },
  'JetBrains: new file, old one aside, swapped': (path, text) => {
    writeFileSync(`${path}___jb_tmp___`, text);
    renameSync(path, `${path}___jb_old___`);
    renameSync(`${path}___jb_tmp___`, path);
    unlinkSync(`${path}___jb_old___`);
  },
  'deleted and written anew': (path, text) => {
    unlinkSync(path);
    writeFileSync(path, text);
  },
};

describe.each(BACKENDS)('%s', (choice) => {
  const watch = (root: string, more: Partial<BackendOptions> = {}) => watchWith(root, { choice, ...more });

  describe('saves are seen', () => {
    it.each(Object.entries(SAVES))('%s, three times over', async (_, save) => {
      const root = tree({ 'src/a.ts': 'zero' });
      const watching = await watch(root);
      for (const text of ['one', 'two', 'three']) {
        save(join(root, 'src/a.ts'), text);
        await watching.see('src/a.ts');
      }
    });

    it('with the same size and the old mtime put back', async () => {
      const root = tree({ 'a.ts': 'aaaa' });
      const path = join(root, 'a.ts');
      const watching = await watch(root);
      for (const text of ['bbbb', 'cccc', 'dddd', 'eeee', 'ffff']) {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, text);
        utimesSync(path, atime, mtime);
        await watching.see('a.ts');
      }
    });

    it('of a formatter that writes again at once', async () => {
      const root = tree({ 'a.ts': 'x' });
      const watching = await watch(root);
      writeFileSync(join(root, 'a.ts'), 'let a=1');
      writeFileSync(join(root, 'a.ts'), 'let a = 1;\n');
      await watching.see('a.ts');
    });
  });

  describe('trees are seen', () => {
    it('made with mkdir -p and written into, and edited later', async () => {
      const root = tree();
      const watching = await watch(root);
      const paths = Array.from({ length: 10 }, (_, n) => `n${n}/a/b/c.ts`);
      for (const path of paths) write(root, path, 'one');
      await watching.see(...paths);
      for (const path of paths) appendFileSync(join(root, path), 'two');
      await watching.see(...paths);
    });

    it('moved in, renamed and moved out', async () => {
      const root = tree();
      const outside = temporaryDirectory();
      for (const path of ['t/a.ts', 't/deep/b.ts']) write(outside, path);
      const watching = await watch(root);
      renameSync(join(outside, 't'), join(root, 'in'));
      await watching.see('in/a.ts', 'in/deep/b.ts');
      renameSync(join(root, 'in'), join(root, 'on'));
      await watching.see('in/a.ts', 'in/deep/b.ts', 'on/a.ts', 'on/deep/b.ts');
      appendFileSync(join(root, 'on/deep/b.ts'), 'x');
      await watching.see('on/deep/b.ts');
      renameSync(join(root, 'on'), join(outside, 't'));
      await watching.see('on/a.ts', 'on/deep/b.ts');
      expect(await watching.seeAllSoFar()).toEqual(new Set());
    });

    it('deleted and made again, five fast cycles, and edited later', async () => {
      const children = Array.from({ length: 40 }, (_, n) => `d/${n}.ts`);
      const root = tree(Object.fromEntries(children.map((path) => [path, 'zero'])));
      const watching = await watch(root);
      for (let cycle = 0; cycle < 5; cycle += 1) {
        rmSync(join(root, 'd'), { recursive: true });
        for (const path of children) write(root, path, `cycle ${cycle}`);
      }
      await watching.see(...children);
      appendFileSync(join(root, 'd/7.ts'), 'later');
      await watching.see('d/7.ts');
    });

    it('of 2,000 files, changed by one checkout', async () => {
      const root = repository();
      const paths = Array.from({ length: 2_000 }, (_, n) => `d${n % 40}/f${n}.ts`);
      for (const text of ['one', 'two']) {
        for (const path of paths) write(root, path, text);
        git(root, 'add', '.');
        git(root, 'commit', '-qm', text);
      }
      const watching = await watch(root);
      git(root, 'checkout', '-q', 'HEAD~1');
      const { paths: told } = await watching.see(...paths);
      // A file may be told twice, gone and back; no other may be told at all.
      expect(new Set([...told, ...(await watching.seeAllSoFar())])).toEqual(new Set(paths));
    });
  });

  describe('names', () => {
    it('differing in case only are two', async () => {
      const root = tree({ 'Button.ts': '' });
      const watching = await watch(root);
      renameSync(join(root, 'Button.ts'), join(root, 'button.ts'));
      await watching.see('Button.ts', 'button.ts');
    });

    it('of any bytes are told as they are, and the next normal edit is seen', async () => {
      const root = tree({ 'a.ts': '' });
      const accented = ['é.ts', 'e\u0301.ts'].map(encodePath);
      const names = ['new\nline.ts', 'tab\t.ts', '"quo\'tes".ts', ...accented, 'caf\xe9.ts', '\xff'];
      const watching = await watch(root);
      for (const name of names) writeFileSync(nativePath(`${encodePath(root)}/${name}`), 'x');
      await watching.see(...names);
      writeFileSync(join(root, 'a.ts'), 'x');
      await watching.see('a.ts');
    });

    it('of links are told, and a link in a circle leads nowhere', async () => {
      const root = tree({ 'src/a.ts': '' });
      const watching = await watch(root);
      symlinkSync('..', join(root, 'src/loop'));
      await watching.see('src/loop');
      writeFileSync(join(root, 'src/a.ts'), 'x');
      expect([...(await watching.see('src/a.ts')).paths]).toEqual(['src/a.ts']);
    });
  });

  describe('what is ignored', () => {
    it('tells nothing: a build, an install, the index, git at work', async () => {
      const root = repository({ '.gitignore': 'out/\n*.tmp\n', 'a.ts': '' });
      git(root, 'add', '.');
      git(root, 'commit', '-qm', 'one');
      const watching = await watch(root);
      for (let n = 0; n < 200; n += 1) {
        for (const place of ['out', 'node_modules/p', 'packages/p/dist', 'tmp/woods']) write(root, `${place}/${n}.js`);
        write(root, `x${n}.tmp`);
      }
      git(root, 'commit', '-q', '--allow-empty', '-m', 'two');
      git(root, 'gc', '-q');
      expect(await watching.seeAllSoFar()).toEqual(new Set());
    });

    it('changes with a .gitignore: the file itself and what it hid or hides are told', async () => {
      const root = repository({ '.gitignore': '*.x\n', 'a.x': '', 'b/a.y': '' });
      const watching = await watch(root);
      write(root, '.gitignore', '*.y\n');
      await watching.see('.gitignore', 'a.x', 'b/a.y');
      write(root, 'b/.gitignore', '!*.y\n');
      await watching.see('b/.gitignore', 'b/a.y');
      unlinkSync(join(root, '.gitignore'));
      await watching.see('.gitignore');
    });

    it('changes with a .woodsignore', async () => {
      const root = tree({ 'a.x': '' });
      const watching = await watch(root);
      write(root, '.woodsignore', '*.x\n');
      await watching.see('.woodsignore', 'a.x');
    });

    it('changes with a rule file that ignores itself', async () => {
      const root = tree({ 'gen/.gitignore': '*\n', 'gen/a.ts': '' });
      const watching = await watch(root);
      write(root, 'gen/.gitignore', '.gitignore\n');
      await watching.see('gen/.gitignore', 'gen/a.ts');
      unlinkSync(join(root, 'gen/.gitignore'));
      await watching.see('gen/.gitignore');
    });

    it('changes with .git/info/exclude, with what git tracks, and with a repository inside', async () => {
      const root = repository({ '.gitignore': '*.x\n', 'a.x': '', 'a.y': '', 'sub/a.ts': '' });
      const watching = await watch(root);
      write(root, '.git/info/exclude', '*.y\n');
      await watching.see('.git/info/exclude', 'a.y');
      git(root, 'add', '-f', 'a.x');
      await watching.see('.git/info/exclude', 'a.x');
      git(root, 'init', '-q', 'sub');
      await watching.see('.git/info/exclude', 'sub/a.ts');
    });
  });

  describe('paths watched singly', () => {
    it('are told although they lie in ignored directories', async () => {
      const root = tree({ 'node_modules/.package-lock.json': '{}', 'node_modules/p/index.js': '' });
      const extra = ['node_modules/.package-lock.json', 'node_modules/.modules.yaml'];
      const watching = await watch(root, { extra });
      write(root, 'node_modules/p/index.js', 'x');
      write(root, 'node_modules/.package-lock.json', '{"a":1}');
      const { paths } = await watching.see('node_modules/.package-lock.json');
      expect([...paths]).toEqual(['node_modules/.package-lock.json']);
      write(root, 'node_modules/.modules.yaml', 'a');
      await watching.see('node_modules/.modules.yaml');
      unlinkSync(join(root, 'node_modules/.modules.yaml'));
      await watching.see('node_modules/.modules.yaml');
    });

    it("are git's own in a linked worktree", async () => {
      const root = repository({ 'a.ts': '' });
      git(root, 'add', '.');
      git(root, 'commit', '-qm', 'one');
      const linked = join(temporaryDirectory(), 'linked');
      git(root, 'worktree', 'add', '-q', linked);
      const watching = await watch(linked, { extra: ['.git/HEAD', '.git/index', '.git/refs/heads/linked'] });
      git(linked, 'checkout', '-q', '--detach');
      await watching.see('.git/HEAD');
      write(linked, 'b.ts');
      git(linked, 'add', '.');
      await watching.see('.git/index', 'b.ts');
      git(linked, 'checkout', '-q', 'linked');
      git(linked, 'commit', '-qm', 'two');
      await watching.see('.git/refs/heads/linked');
    });
  });

  describe('the root', () => {
    it('that goes away is told once, as that and not as deletions; back, it asks for a full scan', async () => {
      const root = tree({ 'a.ts': '', 'b/c.ts': '' });
      const watching = await watch(root);
      renameSync(root, `${root}-away`);
      const gone = await watching.seeWhere(({ reason }) => reason === 'root-gone');
      expect(gone).toMatchObject({ overflow: false, paths: new Set() });
      expect(await watching.backend.wait(50)).toMatchObject({ overflow: false, reason: null, paths: new Set() });
      renameSync(`${root}-away`, root);
      expect(await watching.seeWhere(({ overflow }) => overflow)).toMatchObject({ reason: 'root-gone' });
      write(root, 'b/c.ts', 'x');
      expect([...(await watching.see('b/c.ts')).paths]).toEqual(['b/c.ts']);
    });

    it('deleted and made anew is watched again, with the rules that it has now', async () => {
      const root = repository({ 'a.ts': '' });
      const watching = await watch(root);
      rmSync(root, { recursive: true });
      await watching.seeWhere(({ reason }) => reason === 'root-gone');
      mkdirSync(root);
      await watching.seeWhere(({ overflow }) => overflow);
      write(root, '.gitignore', '*.x\n');
      write(root, 'a.x');
      write(root, 'b.ts');
      expect((await watching.see('b.ts')).paths).not.toContain('a.x');
    });

    it('replaced between two scans, also by a link, asks for a full scan', async () => {
      const root = tree({ 'a.ts': 'old' });
      const other = tree({ 'a.ts': 'new' });
      const watching = await watch(root);
      renameSync(root, `${root}-away`);
      symlinkSync(other, root);
      expect(await watching.seeWhere(({ overflow }) => overflow)).toMatchObject({ reason: 'root-gone' });
      write(other, 'b.ts');
      await watching.see('b.ts');
    });

    it('replaced by a file is gone', async () => {
      const root = tree({ 'a.ts': '' });
      const watching = await watch(root);
      renameSync(root, `${root}-away`);
      writeFileSync(root, '');
      const gone = await watching.seeWhere(({ reason }) => reason === 'root-gone');
      expect(gone).toMatchObject({ overflow: false, paths: new Set() });
    });
  });
});
