/** One option of NODE_OPTIONS: as it was written, and what Node reads it as. */
interface Token {
  readonly raw: string;
  readonly text: string;
}

const LOADERS = new Set(['--require', '-r', '--import', '--loader', '--experimental-loader']);
/** These take their value as the next word; the other `--inspect` flags only take it after `=`. */
const INSPECTORS_WITH_VALUE = new Set(['--inspect-port', '--inspect-publish-uid']);

/**
 * Removes from a NODE_OPTIONS value the flags that a parent injected for itself: every `--inspect…`, and the preloads
 * of VS Code's bootloader, tsx and ts-node. What stays, stays as it was written, quotes included. A value that Node
 * itself would refuse (an open quote) is returned untouched: Node's own message is the better one.
 */
export function cleanNodeOptions(value: string): string {
  const tokens = tokenize(value);
  if (tokens === null) return value;
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const { flag, attached } = splitFlag(token.text);
    const next = tokens[at + 1];
    if (flag.startsWith('--inspect')) {
      if (INSPECTORS_WITH_VALUE.has(flag) && attached === null) at += 1;
    } else if (LOADERS.has(flag) && isInjected(attached ?? next?.text ?? '')) {
      if (attached === null) at += 1;
    } else {
      kept.push(token.raw);
      if (LOADERS.has(flag) && attached === null && next !== undefined) {
        kept.push(next.raw);
        at += 1;
      }
    }
  }
  return kept.join(' ');
}

/** Splits as Node does: spaces part options, double quotes join them, a backslash inside quotes takes the next letter. */
function tokenize(value: string): Token[] | null {
  const tokens: Token[] = [];
  let raw = '';
  let text = '';
  let quoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const letter = value.charAt(at);
    if (letter === ' ' && !quoted) {
      if (raw !== '') tokens.push({ raw, text });
      raw = '';
      text = '';
      continue;
    }
    raw += letter;
    if (letter === '"') quoted = !quoted;
    else if (letter === '\\' && quoted && at + 1 < value.length) {
      at += 1;
      raw += value.charAt(at);
      text += value.charAt(at);
    } else text += letter;
  }
  if (quoted) return null;
  if (raw !== '') tokens.push({ raw, text });
  return tokens;
}

function splitFlag(text: string): { flag: string; attached: string | null } {
  const equals = text.indexOf('=');
  if (!text.startsWith('-') || equals < 0) return { flag: text, attached: null };
  return { flag: text.slice(0, equals), attached: text.slice(equals + 1) };
}

function isInjected(specifier: string): boolean {
  const path = specifier.replaceAll('\\', '/');
  return (
    /js-debug\/(.*\/)?bootloader(\.bundle)?\.c?js$/.test(path) ||
    /^(tsx|ts-node)(\/|$)/.test(path) ||
    /\/node_modules\/(tsx|ts-node)\//.test(path)
  );
}
