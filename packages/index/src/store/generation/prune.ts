/** Payloads that are no longer needed: old generations that no reader pins, and what a killed publisher left. */
import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { errnoOf } from '@woods/protocol';
import { generationOf, MANIFEST, PAYLOADS } from './layout.ts';

/** Errors that say that there is none, also because the payload's name is that of a file. */
const NO_MANIFEST = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

interface PayloadDir {
  readonly generation: number;
  readonly path: string;
}

/**
 * Removes all generations up to `current` but the newest `keep` of them and those that a reader pins. Where locks
 * cannot be had nobody can pin, and readers find their way by the pointer.
 */
export function prunePayloads(indexDir: string, options: { current: number; keep: number }): void {
  const old = listPayloads(indexDir)
    .filter(({ generation }) => generation <= options.current)
    .slice(Math.max(1, options.keep));
  for (const { path } of old) removeUnlessPinned(path);
}

/** Removes generations above `current`, which no pointer names: unless a reader pinned one before its pointer was lost. */
export function removeLeftovers(indexDir: string, current: number): void {
  for (const { generation, path } of listPayloads(indexDir)) {
    if (generation > current) removeUnlessPinned(path);
  }
}

/** 0 when there is none. */
export function highestPayload(indexDir: string): number {
  return listPayloads(indexDir)[0]?.generation ?? 0;
}

/** Newest first. */
function listPayloads(indexDir: string): PayloadDir[] {
  const directory = join(indexDir, PAYLOADS);
  return namesIn(directory)
    .flatMap((name) => {
      const generation = generationOf(name);
      return generation === null ? [] : [{ generation, path: join(directory, name) }];
    })
    .sort((a, b) => b.generation - a.generation);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function removeUnlessPinned(path: string): void {
  const fd = openManifest(join(path, MANIFEST));
  try {
    // Without a manifest there is nothing to pin; it is the rest of an interrupted removal.
    if (fd !== null && flockSupport().ok && !flock(fd, 'exclusive')) return;
    removeDirectory(path);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function openManifest(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (NO_MANIFEST.has(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
