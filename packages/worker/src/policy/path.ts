/** Root-relative, `/`-separated paths taken apart; no disk. */

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Lower case, with its dot; empty for `Makefile` and for `.profile`. */
export function extension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot).toLowerCase() : '';
}

/** Whole segments: `foo_bar` does not lie below `foo`. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
