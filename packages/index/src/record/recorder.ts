import type { FileRecord, Language } from './file-record.ts';

/** Why a file that could be read has no record. */
export const TOO_DEEP = 'nested too deeply to be parsed';

export type Recorded = { readonly record: FileRecord } | { readonly skipped: string };

/** Text and its length in UTF-8. */
export type RecordText = (text: string, bytes: number, language: Language) => Recorded;

/**
 * Loads the parser, which costs some 170 ms and 60 MB: call it only when there is a file to parse. What it returns turns
 * text into a record; the same text and language always give the same one.
 */
export async function loadRecorder(): Promise<RecordText> {
  const [{ recordSource }, { recordPackage }] = await Promise.all([
    import('./record-source.ts'),
    import('./package/record-package.ts'),
  ]);
  return (text, bytes, language) => {
    try {
      return { record: language === 'package' ? recordPackage(text, bytes) : recordSource(text, bytes, language) };
    } catch (error) {
      if (error instanceof RangeError) return { skipped: TOO_DEEP };
      throw error;
    }
  };
}
