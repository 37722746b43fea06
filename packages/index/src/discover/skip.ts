/** Why a file has no units. Each is said in the index, so that nothing is silently missing. */
export const SKIP = {
  noExtractor: 'no extractor for this kind of file',
  binary: 'binary',
  notUtf8: 'not UTF-8',
  nameNotUtf8: 'its name is not UTF-8',
  link: 'symbolic link',
  notAFile: 'not a regular file',
  unstable: 'it changes while it is read',
} as const;

/** The file's own size is left out, so that a growing log is not a change each time. */
export function tooLarge(limit: number): string {
  return `larger than maxFileBytes (${limit})`;
}

/** `code` is the system's, e.g. EACCES. */
export function unreadable(code: string): string {
  return `unreadable: ${code}`;
}
