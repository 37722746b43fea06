/** What a validation found, in words; never more than anyone reads. */
export interface Findings {
  add(text: string): void;
  list(): string[];
}

const MAX_FINDINGS = 500;

export function createFindings(): Findings {
  const texts: string[] = [];
  let more = 0;
  return {
    add: (text) => {
      if (texts.length < MAX_FINDINGS) texts.push(text);
      else more += 1;
    },
    list: () => (more === 0 ? [...texts] : [...texts, `and ${more} more`]),
  };
}
