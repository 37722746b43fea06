import { isObject } from './json.ts';

/** Strings as they are; comments, and commas before a closing bracket, as nothing. */
const TOKEN = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g;

/** The object of a JSON text as tsconfig files have it: comments, trailing commas, a byte order mark. Null for any other text. */
export function parseObjectWithComments(text: string): Readonly<Record<string, unknown>> | null {
  const plain = text.replace(/^\uFEFF/, '').replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '));
  try {
    const value: unknown = JSON.parse(plain);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
