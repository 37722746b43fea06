/** Strings as they are; comments, and commas before a closing bracket, as nothing. */
const TOKENS = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g;

/** The value of a JSON text with comments and trailing commas, as tsconfig files have them; null when it is not one. */
export function parseJsonc(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').replace(TOKENS, (token) => (token.startsWith('"') ? token : ' '));
  try {
    return JSON.parse(plain);
  } catch {
    return null;
  }
}
