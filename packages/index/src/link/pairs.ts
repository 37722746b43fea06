import type { LinkFile, Pair } from './link-file.ts';
import type { ModuleResolver } from './resolve/resolver.ts';
import { stemsOfPath } from './resolve/stems.ts';

/** All (directory, specifier) pairs that files of the index use, found again by the paths that could satisfy them. */
export interface Pairs {
  /** Takes the specifiers of the file's record in place of those that it had. */
  acquire(file: LinkFile): void;
  /** The file is gone. */
  release(file: LinkFile): void;
  /** The path that a specifier of a file leads to. */
  targetOf(file: LinkFile, specifier: number): string | null;
  /** Asks again for each pair that these paths may satisfy or have satisfied; returns the files whose answer changed. */
  resolveAgain(paths: Iterable<string>): Set<LinkFile>;
}

export function openPairs(resolver: ModuleResolver): Pairs {
  const pairs = new Map<string, Pair>();
  /** Made when the first path comes or goes: a cold run needs none. */
  let byStem: Map<string, Set<Pair>> | null = null;

  function pairOf(directory: string, specifier: string): Pair {
    const key = `${directory}\0${specifier}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const pair: Pair = { directory, specifier, target: undefined, users: new Set() };
    pairs.set(key, pair);
    if (byStem !== null) addStems(byStem, pair);
    return pair;
  }

  function addStems(stems: Map<string, Set<Pair>>, pair: Pair): void {
    for (const stem of resolver.stemsFor(pair.directory, pair.specifier)) {
      const same = stems.get(stem);
      if (same === undefined) stems.set(stem, new Set([pair]));
      else same.add(pair);
    }
  }

  function drop(pair: Pair): void {
    pairs.delete(`${pair.directory}\0${pair.specifier}`);
    if (byStem === null) return;
    for (const stem of resolver.stemsFor(pair.directory, pair.specifier)) {
      const same = byStem.get(stem);
      same?.delete(pair);
      if (same?.size === 0) byStem.delete(stem);
    }
  }

  function pairsByStem(): ReadonlyMap<string, ReadonlySet<Pair>> {
    if (byStem === null) {
      byStem = new Map();
      for (const pair of pairs.values()) addStems(byStem, pair);
    }
    return byStem;
  }

  function letGo(file: LinkFile, before: readonly Pair[]): void {
    const kept = new Set(file.pairs);
    for (const pair of before) {
      if (kept.has(pair)) continue;
      pair.users.delete(file);
      if (pair.users.size === 0) drop(pair);
    }
  }

  function resolve(pair: Pair): string | null {
    pair.target = resolver.resolve(pair.directory, pair.specifier);
    return pair.target;
  }

  return {
    acquire(file) {
      const before = file.pairs;
      file.pairs = file.record.specifiers.map((specifier) => pairOf(file.directory, specifier));
      for (const pair of file.pairs) pair.users.add(file);
      letGo(file, before);
    },
    release(file) {
      const before = file.pairs;
      file.pairs = [];
      letGo(file, before);
    },
    targetOf(file, specifier) {
      const pair = file.pairs[specifier];
      if (pair === undefined) return null;
      return pair.target === undefined ? resolve(pair) : pair.target;
    },
    resolveAgain(paths) {
      const changed = new Set<LinkFile>();
      const asked = new Set<Pair>();
      for (const path of paths) {
        for (const stem of stemsOfPath(path)) for (const pair of pairsByStem().get(stem) ?? []) asked.add(pair);
      }
      for (const pair of asked) {
        const before = pair.target;
        // A pair that nobody asked yet has no reader that could be wrong.
        if (before === undefined || resolve(pair) === before) continue;
        for (const user of pair.users) changed.add(user);
      }
      return changed;
    },
  };
}
