import type ts from 'typescript';
import type { Language, ParseError } from '../file-record.ts';
import { compiler } from './compiler.ts';
import type { Positions } from './positions.ts';

const MAX_ERRORS = 5;
const MAX_MESSAGE = 160;

/** Words of the language that an error may quote; any other quoted word could be part of the file. */
const KEYWORD =
  /^(?:catch|finally|case|default|from|of|in|as|is|while|new|import|export|class|function|async|await|yield|extends|implements|type|unique symbol|const|let|var|enum|using)$/;

/**
 * Parses as far as it goes: a broken file still gives the declarations that can be recovered.
 * Top-level `await` in a file without `import` or `export` only parses when the file is taken for a module, so a file
 * with errors gets that second chance.
 */
export function parseSource(text: string, language: Language): ts.SourceFile {
  const first = parseOnce(text, language, 'as found');
  if (!text.includes('await') || compiler.isExternalModule(first) || diagnosticsOf(first).length === 0) return first;
  const second = parseOnce(text, language, 'as a module');
  return diagnosticsOf(second).length === 0 ? second : first;
}

function parseOnce(text: string, language: Language, kind: 'as found' | 'as a module'): ts.SourceFile {
  const { ScriptKind, ScriptTarget, JSDocParsingMode } = compiler;
  const scriptKind = { typescript: ScriptKind.TS, tsx: ScriptKind.TSX, javascript: ScriptKind.JS, jsx: ScriptKind.JSX };
  return compiler.createSourceFile(
    language === 'tsx' || language === 'jsx' ? 'file.tsx' : 'file.ts',
    text,
    {
      languageVersion: ScriptTarget.ESNext,
      jsDocParsingMode: JSDocParsingMode.ParseNone,
      ...(kind === 'as a module' && { setExternalModuleIndicator: takeForModule }),
    },
    false,
    language === 'package' ? ScriptKind.JSON : scriptKind[language],
  );
}

function takeForModule(file: ts.SourceFile): void {
  // TypeScript keeps the indicator in a field of its own that the public type does not name.
  Object.assign(file, { externalModuleIndicator: true });
}

/** The first errors of the parse, with what they say but without quoting the file. */
export function parseErrors(file: ts.SourceFile, positions: Positions): ParseError[] {
  return diagnosticsOf(file)
    .slice(0, MAX_ERRORS)
    .map(({ start, messageText }) => ({
      line: positions.lineOf(start),
      message: withoutFileText(compiler.flattenDiagnosticMessageText(messageText, ' ')),
    }));
}

function diagnosticsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return 'parseDiagnostics' in file && Array.isArray(file.parseDiagnostics) ? file.parseDiagnostics : [];
}

function withoutFileText(message: string): string {
  return message
    .replace(/'([^']*)'/g, (quoted, word: string) => (/^\W{1,4}$/.test(word) || KEYWORD.test(word) ? quoted : 'a name'))
    .slice(0, MAX_MESSAGE);
}
