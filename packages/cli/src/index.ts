/**
 * The `woods` command. `main.ts` is what the binary runs; nothing is exported.
 *
 * commands/  one file a command: its options, its examples, and what it imports when it runs
 * options/   what all commands have, and how values are read
 * place/     the root and the index directory
 * reading/   answers from the published index, and how current they are
 * watching/  who keeps the index current
 * writing/   runs of the indexer under the writer lock
 * removing/  taking an index away
 * output/    data and words, text and JSON
 * errors/    failures in words, with codes
 */
export {};
