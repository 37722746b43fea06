/** One option of NODE_OPTIONS: as it was written, and what Node reads it as. */
interface Token {
  readonly raw: string;
  readonly text: string;
}

const LOADERS = new Set(['--require', '-r', '--import', '--loader', '--experimental-loader']);
/** These take their value as the next word; the other `--inspect` flags only take it after `=`. */
const INSPECTORS_WITH_VALUE = new Set(['--inspect-port', '--debug-port', '--inspect-publish-uid']);

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
    if (flag.startsWith('--inspect') || flag === '--debug-port') {
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

/** Node reads `--inspect_brk` as `--inspect-brk`, and `--debug-port` as `--inspect-port`. */
function splitFlag(text: string): { flag: string; attached: string | null } {
  const [word = ''] = text.split('=', 1);
  const flag = text.startsWith('--') ? word.replaceAll('_', '-') : word;
  return { flag, attached: text.startsWith('-') && word.length < text.length ? text.slice(word.length + 1) : null };
}

/**
 * By the name of the package, or by where its files lie: installed, or in a linked checkout. VS Code loads its bootloader
 * from the extension, from a workspace's storage, or, where that path has a blank, from a copy with a name of its own.
 */
function isInjected(specifier: string): boolean {
  const path = specifier.replaceAll('\\', '/');
  return (
    /(^|[/.])js-debug[^/]*\/(.*\/)?bootloader(\.bundle)?\.c?js$/.test(path) ||
    /(^|\/)\.?vscode-js-debug-bootloader\.js$/.test(path) ||
    /^(tsx|ts-node)(\/|$)/.test(path) ||
    /\/node_modules\/(tsx|ts-node)\//.test(path) ||
    /\/(tsx\/dist|ts-node\/(dist|dist-raw|register|esm|child-loader))(\/|\.|$)/.test(path)
  );
}
