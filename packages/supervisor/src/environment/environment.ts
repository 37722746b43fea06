/** Variables by name. A Map, because a name such as `__proto__` is one like any other. */
export type Environment = Map<string, string>;
