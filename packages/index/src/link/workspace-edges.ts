import { posix } from 'node:path';
import type { Edge } from '../model.ts';
import type { LinkFile } from './link-file.ts';
import type { Workspace } from './resolve/workspace.ts';

/** Ranges that name a directory instead of versions. */
const LOCAL = /^(?:file|link|portal):(.+)$/;

/** From a `package.json` to those of the packages of the tree that it depends on. */
export function workspaceEdgesOf(file: LinkFile, workspace: Workspace, has: (path: string) => boolean): Edge[] {
  const edges: Edge[] = [];
  const seen = new Set<string>();
  for (const [name, range, line] of file.record.package?.dependencies ?? []) {
    const target = dependencyOf(file, name, range, workspace);
    if (target === null || target === file.path || seen.has(target) || !has(target)) continue;
    seen.add(target);
    edges.push({ source: file.path, target, via: 'workspace_dependency', resolution: 'declared', line });
  }
  return edges;
}

function dependencyOf(file: LinkFile, name: string, range: string, workspace: Workspace): string | null {
  const local = LOCAL.exec(range)?.[1];
  if (local !== undefined) return posix.join(file.directory, local, 'package.json');
  const found = workspace.packageNamed(name);
  return found === null ? null : posix.join(found.directory, 'package.json');
}
