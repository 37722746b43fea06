/** Characters that mean something in a pattern, so a directory's name needs a backslash before them. */
const SPECIAL = /[\\*?[]/g;

/**
 * The patterns of one ignore file, rewritten so that they hold from the top of the tree and not from the file's directory.
 * All files of a path's chain can then be one list, which is what makes precedence and "no way back below an excluded
 * directory" come out as git has them.
 *
 * @param text the file, one character a byte
 * @param prefix directory of the file from the top: '' or `some/directory/`
 */
export function rootedPatterns(text: string, prefix: string): string[] {
  const base = `/${prefix.replace(SPECIAL, '\\$&')}`;
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .flatMap((line) => rooted(line.replace(/\r$/, ''), base));
}

function rooted(line: string, base: string): string[] {
  if (line.startsWith('#')) return [];
  const trimmed = trimSpaces(line);
  const negative = trimmed.startsWith('!');
  const body = negative ? trimmed.slice(1) : trimmed;
  const core = body.endsWith('/') ? body.slice(0, -1) : body;
  if (core === '') return [];
  // A slash anywhere but at the end ties a pattern to the directory of its file; without one it holds at any depth below.
  const anchored = core.includes('/');
  const bodies = anchored ? literalPrefixGlobstar(body.replace(/^\//, '')) : [`**/${body}`];
  return bodies.map((pattern) => `${negative ? '!' : ''}${base}${pattern}`);
}

/**
 * Git compares the part before the first wildcard as text and matches only the rest, so that `gen**` and `gen**\/x` cross
 * directories although the asterisks do not fill a name. Written out for a library that goes by the manual, where they do not.
 */
function literalPrefixGlobstar(body: string): string[] {
  const [, prefix, rest] = /^([^*?[\\]*[^*?[\\/])\*{2,}(?:\/(.+)|\/?)$/s.exec(body) ?? [];
  if (prefix === undefined) return [body];
  if (rest !== undefined) return [...literalPrefixGlobstar(prefix + rest), `${prefix}*/**/${rest}`];
  const end = body.endsWith('/') ? '/' : '';
  return [`${prefix}*${end}`, `${prefix}*/**${end}`];
}

/** Cuts trailing spaces off, except one that a backslash quotes. */
function trimSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}
