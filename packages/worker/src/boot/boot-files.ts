/** The boot capture, asked later: which of these files are not what this process booted with? */
import type { BootFiles } from '../cycle/collaborators.ts';
import { isBelow } from '../policy/path.ts';
import { digestsOf } from './digest.ts';

/** A path that is not in `digests` was absent at boot. */
export function openBootFiles(root: string, digests: Iterable<readonly [path: string, digest: string]>): BootFiles {
  const captured = new Map(digests);
  async function differing(paths: Iterable<string>): Promise<string[]> {
    const digests = await digestsOf(root, [...paths]);
    return digests.flatMap(([path, digest]) => (digest === (captured.get(path) ?? 'absent') ? [] : path));
  }
  return {
    changed: (paths, directories) => {
      const below = [...captured.keys()].filter((path) => [...directories].some((one) => isBelow(path, one)));
      return differing(new Set([...paths, ...below]));
    },
    allChanged: () => differing(captured.keys()),
  };
}
