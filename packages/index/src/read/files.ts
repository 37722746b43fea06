import { NONE } from '../store/segment/columns.ts';
import { sourceInputOf } from '../store/segment/rows.ts';
import { optionalStringAt } from '../store/segment/segment.ts';
import { eachLiveFile, type View } from '../store/segment/view.ts';
import { compareText } from './units.ts';

export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  /** SHA-256, hex; null when the file was never read. */
  readonly hash: string | null;
  readonly language: string | null;
  /** Why it has no units; null when it was indexed. */
  readonly skipped: string | null;
  readonly units: number;
}

/** By path. */
export function filesOf(view: View, which: 'all' | 'skipped'): IndexedFile[] {
  const files: IndexedFile[] = [];
  eachLiveFile(view, (_, { segment, number }) => {
    const { file_unit, file_skipped } = segment.columns;
    if (which === 'skipped' && file_skipped[number] === NONE) return;
    const { path, size, hash, language, skipped } = sourceInputOf(segment, number);
    const units = (file_unit[number + 1] ?? 0) - (file_unit[number] ?? 0);
    files.push({ path, size, hash, language, skipped, units });
  });
  return files.sort((a, b) => compareText(a.path, b.path));
}

/** Of all files, in no order. */
export function languagesOf(view: View): (string | null)[] {
  const languages: (string | null)[] = [];
  eachLiveFile(view, (_, { segment, number }) => {
    languages.push(optionalStringAt(segment, segment.columns.file_language[number] ?? NONE));
  });
  return languages;
}
