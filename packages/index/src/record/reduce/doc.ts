import type { DraftUnit, FileDraft } from '../draft/draft.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { blankLineBetween } from '../source/positions.ts';

const MAX_DOC = 2_000;

/** The `/** … *\/` comment right before the unit, without its decoration; null when there is none. */
export function docOf(file: FileDraft, unit: DraftUnit): string | null {
  const last = compiler.getLeadingCommentRanges(file.text, unit.commentsAt)?.at(-1);
  return last === undefined || !isDocComment(file.text, last.pos)
    ? null
    : plainText(file.text.slice(last.pos, last.end));
}

/** The first comment of the file, when it is about the file and not about its first statement. */
export function moduleDocOf(file: FileDraft): string | null {
  const first = file.source.statements[0];
  const shebang = compiler.getShebang(file.text)?.length ?? 0;
  const comments = (compiler.getLeadingCommentRanges(file.text, shebang) ?? []).filter(({ pos }) =>
    isDocComment(file.text, pos),
  );
  const comment = comments[0];
  if (comment === undefined) return null;
  const belongsToStatement =
    comments.length === 1 &&
    first !== undefined &&
    first.kind !== SyntaxKind.ImportDeclaration &&
    !blankLineBetween(file.text, comment.end, first.getStart(file.source));
  return belongsToStatement ? null : plainText(file.text.slice(comment.pos, comment.end));
}

function isDocComment(text: string, at: number): boolean {
  return text.startsWith('/**', at) && text.charAt(at + 3) !== '/';
}

function plainText(comment: string): string | null {
  const lines = comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  return lines.join('\n').trim().slice(0, MAX_DOC) || null;
}
