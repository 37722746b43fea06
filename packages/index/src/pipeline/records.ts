import { hash } from 'node:crypto';
import type { SourceInput } from '../model.ts';
import type { FileRecord, Language } from '../record/file-record.ts';
import { loadRecorder, type Recorded, type RecordText } from '../record/recorder.ts';
import { EXTRACTOR_VERSION } from '../record/version.ts';
import { openPack } from '../store/index.ts';

/** Contents whose record is wanted. `hash` is their SHA-256, `bytes` the length of the text in UTF-8. */
interface Contents {
  readonly hash: string;
  readonly language: Language;
  readonly text: string;
  readonly bytes: number;
}

/** Records by content: from the cache, else parsed and put there. */
export interface Records {
  /** Loads the parser before it is needed. */
  prepare(): Promise<void>;
  recordOf(contents: Contents): Promise<Recorded>;
  /** The record of a published file; `source` brings its text back when the cache has lost the record. */
  recordOfInput(input: SourceInput, source: () => string | null): Promise<FileRecord | null>;
  /** Writes new records out. */
  flush(): void;
  close(): void;
}

/** `directory` holds the packs; `configFingerprint` stands for the settings that change what is in a record. */
export function openRecords(directory: string, configFingerprint: string): Records {
  const pack = openPack({ dir: directory });
  const keyOf = (contentHash: string, language: Language) =>
    `${contentHash}.${language}.${EXTRACTOR_VERSION}.${configFingerprint}`;
  let recorder: RecordText | null = null;

  async function recordOf({ hash: contentHash, language, text, bytes }: Contents): Promise<Recorded> {
    const key = keyOf(contentHash, language);
    const cached = parseRecord(pack.get(key), language);
    if (cached !== null) return { record: cached };
    recorder ??= await loadRecorder();
    const recorded = recorder(text, bytes, language);
    if ('record' in recorded) pack.put(key, JSON.stringify(recorded.record));
    return recorded;
  }

  return {
    async prepare() {
      recorder ??= await loadRecorder();
    },
    recordOf,
    async recordOfInput(input, source) {
      const language = languageOfInput(input);
      if (language === null || input.hash === null) return null;
      const cached = parseRecord(pack.get(keyOf(input.hash, language)), language);
      if (cached !== null) return cached;
      const text = source();
      if (text === null) return null;
      const bytes = Buffer.from(text, 'utf8');
      const recorded = await recordOf({ hash: hash('sha256', bytes), language, text, bytes: bytes.length });
      return 'record' in recorded ? recorded.record : null;
    },
    flush: () => pack.flush(),
    close: () => pack.close(),
  };
}

const LANGUAGES: ReadonlySet<string> = new Set<Language>(['typescript', 'tsx', 'javascript', 'jsx', 'package']);

function isLanguage(name: string | null): name is Language {
  return name !== null && LANGUAGES.has(name);
}

function languageOfInput({ language, skipped }: SourceInput): Language | null {
  return skipped === null && isLanguage(language) ? language : null;
}

/** The key tells the version and a checksum guards the bytes; what is left to tell is whether anything like a record came. */
function parseRecord(json: string | null, language: Language): FileRecord | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) && value.language === language ? value : null;
  } catch {
    return null;
  }
}

const LISTS = ['specifiers', 'imports', 'exports', 'stars', 'units', 'declarations', 'sites', 'errors'] as const;

function isRecord(value: unknown): value is FileRecord {
  if (typeof value !== 'object' || value === null || !('shape' in value)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return typeof value.shape === 'string' && LISTS.every((list) => Array.isArray(fields.get(list)));
}
