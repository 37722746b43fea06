import { isUtf8 } from 'node:buffer';

/**
 * A byte path is a file name as the system has it, one character a byte (latin1). Names need not be UTF-8, and a string that
 * went through UTF-8 decoding can no longer be opened. Byte paths are root-relative and `/`-separated unless said otherwise.
 */

/** Text to byte path. */
export function encodePath(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Byte path to text; null when the name is not UTF-8. */
export function decodePath(bytePath: string): string | null {
  const bytes = nativePath(bytePath);
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** One line for messages: control characters, and the bytes of a name that is not UTF-8, come as `\xNN`. */
export function displayPath(bytePath: string): string {
  return (decodePath(bytePath) ?? bytePath.replace(/[^ -~]/g, escapeCharacter)).replace(/\p{Cc}/gu, escapeCharacter);
}

/** What `node:fs` must be given for a byte path. */
export function nativePath(bytePath: string): Buffer {
  return Buffer.from(bytePath, 'latin1');
}

/** `name` in `directory`; '' is the root. */
export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** The directory that an entry lies in; '' is the root. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether `path` is `directory` or lies below it; everything lies below ''. */
export function isAtOrBelow(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

function escapeCharacter(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
