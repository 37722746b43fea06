import type { DraftUnit } from './draft/draft.ts';
import type { FileRecord, Language } from './file-record.ts';
import { reduceFile } from './reduce/reduce.ts';
import { parseErrors, parseSource } from './source/parse.ts';
import { measurePositions } from './source/positions.ts';
import { walkFile } from './syntax/grammar.ts';

/**
 * Records a file of the TypeScript or JavaScript family. `bytes` is its length in UTF-8.
 * Throws RangeError when the file nests deeper than the stack goes.
 */
export function recordSource(text: string, bytes: number, language: Language): FileRecord {
  const positions = measurePositions(text, bytes);
  const source = parseSource(text, language);
  const module: DraftUnit = {
    type: 'module',
    name: '',
    qualified: '',
    namespace: null,
    parent: null,
    commentsAt: 0,
    start: 0,
    end: text.length,
    nameAt: 0,
    signature: '',
    metadata: {},
    kept: true,
    open: false,
    number: -1,
  };
  const errors = parseErrors(source, positions);
  return reduceFile(walkFile(source, text, module), { language, bytes, positions, errors });
}
