const MAX_QUOTED = 80;

/** Control characters, and the invisible ones that make a terminal draw something else than what is there. */
const UNPRINTABLE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]/gu;

/**
 * Any value as one short line that is safe to print on a terminal: JSON, cut to about 80 characters, with control
 * characters escaped. Never throws, whatever the value is.
 */
export function quote(value: unknown): string {
  const json = toJson(value);
  const cut = json.length > MAX_QUOTED ? `${json.slice(0, MAX_QUOTED)}…` : json;
  return cut.replace(UNPRINTABLE, escapeCharacter);
}

/** Plain text (an error message of the system, a path) made safe for a terminal in the same way, without quotes. */
export function printable(text: string): string {
  const cut = text.length > 4 * MAX_QUOTED ? `${text.slice(0, 4 * MAX_QUOTED)}…` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return cut.replace(/[\u0000-\u001f]/g, escapeCharacter).replace(UNPRINTABLE, escapeCharacter);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return `a ${typeof value}`;
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
