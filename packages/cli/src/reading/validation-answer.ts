import type { Validation } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { count, onOneLine } from '../output/words.ts';

/** The answer of `woods validate`: findings are its data. */
export function validationAnswer({ findings, generation }: Validation, indexDir: string): Answer {
  const isWhole = findings.length === 0;
  return {
    exitCode: isWhole ? 0 : 1,
    json: { valid: isWhole, generation, findings, index: indexDir },
    text: isWhole ? [`generation ${generation} is whole`] : findings.map(onOneLine),
    words: isWhole ? [] : [`${count(findings.length, 'finding')}; \`woods extract\` publishes a new generation`],
  };
}
