import { languagesFor } from '../../../packages/index/src/discover/language.ts';
import { type Linker, openLinker } from '../../../packages/index/src/link/linker.ts';
import type { FileRecord } from '../../../packages/index/src/record/file-record.ts';
import { recordOf } from './record.ts';

/** Text by path. */
export type Texts = { readonly [path: string]: string };

const languageOf = languagesFor(null);

function recordsOf(texts: Texts): [string, FileRecord][] {
  return Object.entries(texts).map(([path, text]) => {
    const language = languageOf(path);
    if (language === null) throw new Error(`no language for ${path}`);
    return [path, recordOf(text, language)];
  });
}

/** A linker over a tree that is not on disk, unless `root` says where; packages that are installed are looked for there. */
export function linkerOf(texts: Texts, root = '/nowhere'): Promise<Linker> {
  return openLinker(root, recordsOf(texts));
}

/** `null` removes the file. */
export function change(linker: Linker, texts: { readonly [path: string]: string | null }): readonly string[] {
  const removed = Object.keys(texts).filter((path) => texts[path] === null);
  const written = Object.entries(texts).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  return linker.update({ records: new Map(recordsOf(Object.fromEntries(written))), removed });
}

/** `source -via-> target` of all edges but those from module to module, sorted. */
export function edgesOf(linker: Linker, via?: string): string[] {
  return [...linker.paths()]
    .flatMap((path) => linker.edgesOf(path))
    .filter((edge) => (via === undefined ? edge.target.includes('#') : edge.via === via))
    .map((edge) => `${edge.source} -${edge.via}-> ${edge.target}`)
    .sort();
}

/** All edges with everything that is said of them. */
export function everyEdge(linker: Linker): string[] {
  return [...linker.paths()]
    .flatMap((path) => linker.edgesOf(path))
    .map((edge) => JSON.stringify(edge))
    .sort();
}
