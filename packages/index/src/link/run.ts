import type { Glance, LinkFile, ReadSet } from './link-file.ts';

/** Something that is being found out: what it read so far, and the outermost frame that it turned out to depend on. */
interface Frame {
  readonly reads: Map<LinkFile, Glance>;
  dependsOn: number;
}

type Memo = { readonly frame: number } | { readonly value: unknown; readonly reads: ReadSet };

/**
 * One pass of the linker over some files. What is found out once is remembered for the pass, with the files that it
 * read; nothing is remembered from pass to pass, so there is nothing to invalidate.
 */
export interface LinkRun {
  readonly frames: Frame[];
  /** By what is asked of which object: one map a question. */
  readonly memos: Map<symbol, Map<unknown, Memo>>;
  /** The file that a specifier of a file leads to. */
  readonly targetOf: (file: LinkFile, specifier: number) => LinkFile | null;
}

const NOWHERE = Number.POSITIVE_INFINITY;

export function newRun(targetOf: LinkRun['targetOf']): LinkRun {
  return { frames: [], memos: new Map(), targetOf };
}

/** Links one file, and tells what it read. */
export function readingFor<T>(run: LinkRun, file: LinkFile, link: () => T): { value: T; reads: ReadSet } {
  const reads = new Map<LinkFile, Glance>([[file, 'shape']]);
  run.frames.push({ reads, dependsOn: NOWHERE });
  try {
    return { value: link(), reads };
  } finally {
    run.frames.pop();
  }
}

/** Notes that the answer depends on this file, also when nothing was found in it. */
export function noteRead(run: LinkRun, file: LinkFile, glance: Glance = 'shape'): void {
  const frame = run.frames.at(-1);
  if (frame !== undefined) addRead(frame, file, glance);
}

/**
 * Answers a question once a run. Whatever lies on a cycle of questions is unknown (null): else the answer would depend
 * on where the cycle was entered, and with it on the order in which files are linked.
 */
export function remember<T>(
  run: LinkRun,
  question: Question<T>,
  about: object | string,
  find: () => T | null,
): T | null {
  const memos = memosFor(run, question.key);
  const known = memos.get(about);
  if (known !== undefined) {
    if ('frame' in known) return closeCycle(run, known.frame);
    addReads(run.frames.at(-1), known.reads);
    // The map of a question holds only what `find` of that question returned.
    return known.value as T | null;
  }
  const depth = run.frames.length;
  const frame: Frame = { reads: new Map(), dependsOn: NOWHERE };
  run.frames.push(frame);
  memos.set(about, { frame: depth });
  const found = find();
  run.frames.pop();
  const value = frame.dependsOn <= depth ? null : found;
  memos.set(about, { value, reads: frame.reads });
  const outer = run.frames.at(-1);
  addReads(outer, frame.reads);
  if (outer !== undefined && frame.dependsOn < depth) outer.dependsOn = Math.min(outer.dependsOn, frame.dependsOn);
  return value;
}

/** A kind of question with the type of its answer. */
export interface Question<T> {
  readonly key: symbol;
  /** Never set: it only carries the type. */
  readonly answer?: T;
}

export function question<T>(name: string): Question<T> {
  return { key: Symbol(name) };
}

function memosFor(run: LinkRun, key: symbol): Map<unknown, Memo> {
  const known = run.memos.get(key);
  if (known !== undefined) return known;
  const fresh = new Map<unknown, Memo>();
  run.memos.set(key, fresh);
  return fresh;
}

/** That the cycle exists follows from all that the questions on it have read, so each of them depends on all of it. */
function closeCycle(run: LinkRun, start: number): null {
  const innermost = run.frames.at(-1);
  if (innermost === undefined) return null;
  for (const frame of run.frames.slice(start)) addReads(innermost, frame.reads);
  innermost.dependsOn = Math.min(innermost.dependsOn, start);
  return null;
}

function addReads(frame: Frame | undefined, reads: ReadSet): void {
  if (frame !== undefined) for (const [file, glance] of reads) addRead(frame, file, glance);
}

function addRead({ reads }: Frame, file: LinkFile, glance: Glance): void {
  if (glance === 'shape' || !reads.has(file)) reads.set(file, glance);
}
