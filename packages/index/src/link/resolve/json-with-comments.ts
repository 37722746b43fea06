/** A string, or what is no part of the value: a comment or a comma before a closing bracket. */
const TOKEN = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** Parses JSON as tsconfig files have it: with comments, trailing commas and a byte order mark; undefined when it is none. */
export function parseJsonWithComments(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '));
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}
