/** The words of a `u8` column: the column holds numbers, the header the words, so that a reader meets new ones whole. */
export interface Vocabulary {
  /** Throws a RangeError at the 256th word. */
  number(word: string): number;
  words(): string[];
}

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  return {
    number: (word) => {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      if (numbers.size === 255)
        throw new RangeError(`a segment holds at most 255 kinds of a thing, found ${word} beyond`);
      numbers.set(word, numbers.size);
      return numbers.size - 1;
    },
    words: () => [...numbers.keys()],
  };
}
