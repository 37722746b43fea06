import { encodePath } from '../bytes/path.ts';
import { findRepository, gitFile, type Repository } from '../git/repository.ts';
import { type FileStamp, look, stampOf } from '../scan/stamp.ts';

/** Files looked at by name wherever they lie: below ignored directories, or in `.git`. */
export interface Extras {
  /** Stamps of those that exist, under the names they were asked for. */
  stamps(): FileStamp[];
  /** Absolute byte path of a root-relative one; `.git/...` of a linked worktree lies elsewhere. */
  locate(path: string): string;
  /** Looks for the repository again. */
  reload(): void;
}

/** @param paths root-relative byte paths; `.git/<name>` means the file of that name in git's own directory */
export function openExtras(root: string, paths: readonly string[]): Extras {
  const rootPath = encodePath(root);
  let repository = repositoryOf(root);
  function locate(path: string): string {
    if (repository !== null && path.startsWith('.git/')) return gitFile(repository, path.slice('.git/'.length));
    return `${rootPath}/${path}`;
  }
  return {
    locate,
    stamps: () =>
      paths.flatMap((path) => {
        const seen = look(locate(path));
        return 'stat' in seen && !seen.stat.isDirectory() ? [stampOf(path, seen.stat)] : [];
      }),
    reload() {
      repository = repositoryOf(root);
    },
  };
}

function repositoryOf(root: string): Repository | null {
  const found = findRepository(root);
  return found.kind === 'repository' ? found.repository : null;
}
