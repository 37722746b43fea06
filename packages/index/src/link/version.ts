/** Raise it whenever the same records would give other edges: an index of another version is linked anew. */
export const LINKER_VERSION = 1;
