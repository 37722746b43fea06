import type { FileRecord, Language } from '../../../packages/index/src/record/file-record.ts';
import { loadRecorder } from '../../../packages/index/src/record/recorder.ts';

const record = await loadRecorder();

/** The record of a text; fails when it is skipped. */
export function recordOf(text: string, language: Language = 'typescript'): FileRecord {
  const recorded = record(text, Buffer.byteLength(text), language);
  if ('skipped' in recorded) throw new Error(recorded.skipped);
  return recorded.record;
}

/** `type key` of each unit but the one that stands for the file. */
export function unitsOf(text: string, language?: Language): string[] {
  return recordOf(text, language)
    .units.slice(1)
    .map(({ type, key }) => `${type} ${key}`);
}

/** The source text of a unit, cut out by its bytes. */
export function sourceOf(text: string, key: string): string {
  const unit = recordOf(text).units.find((candidate) => candidate.key === key);
  if (unit === undefined) throw new Error(`no unit ${key}`);
  return Buffer.from(text).subarray(unit.span[0], unit.span[1]).toString();
}
