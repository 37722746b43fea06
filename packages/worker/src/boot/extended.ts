/** Which files the tsconfig and jsconfig files of a tree extend, directly or through others. */
import { dirname, isAbsolute, join } from 'node:path';
import { boundedRead, parseObjectWithComments } from '@woods/protocol';

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Takes and gives absolute paths, existing or not: a target that appears later counts as well. */
export function extendedConfigs(configs: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const waiting = [...configs];
  for (let config = waiting.pop(); config !== undefined; config = waiting.pop()) {
    for (const target of extendsOf(config)) {
      if (found.has(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

function extendsOf(config: string): string[] {
  const read = boundedRead(config, MAX_CONFIG_BYTES, { links: 'follow' });
  const value = read.ok ? parseObjectWithComments(read.text) : null;
  if (value?.extends === undefined) return [];
  const named: unknown[] = Array.isArray(value.extends) ? value.extends : [value.extends];
  return named.flatMap((name) => (typeof name === 'string' ? candidates(dirname(config), name) : []));
}

/** Every place where TypeScript would look; the first that exists is the one, and any may come to exist. */
function candidates(directory: string, name: string): string[] {
  if (name.startsWith('.') || isAbsolute(name)) return withEnding(isAbsolute(name) ? name : join(directory, name));
  const above: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    above.push(...withEnding(join(at, 'node_modules', name)), join(at, 'node_modules', name, 'tsconfig.json'));
    if (at === dirname(at)) return above;
  }
}

function withEnding(path: string): string[] {
  return path.endsWith('.json') ? [path] : [`${path}.json`];
}
