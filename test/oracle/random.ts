/** A small deterministic generator: the same seed always gives the same run. */
export interface Random {
  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick(from) {
      const [picked] = from.slice(below(from.length));
      if (from.length === 0) throw new Error('nothing to pick from');
      return picked as (typeof from)[number]; // it may be `undefined` when that is in the list
    },
    chance: (probability) => next() < probability,
  };
}
