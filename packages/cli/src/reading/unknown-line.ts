import { onOneLine } from '../output/words.ts';

/** Words for a filter that names what the index has nothing of, which is mostly a misspelling; null when it has. */
export function unknownLine(
  what: string,
  asked: readonly string[] | undefined,
  known: readonly (readonly [name: string, count: number])[],
): string | null {
  const names = known.map(([name]) => name);
  const unknown = asked?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length === 0) return null;
  return `the index has no ${what} ${unknown.map(onOneLine).join(', ')}; it has ${names.join(', ')}`;
}
