import { setFlagsFromString } from 'node:v8';

/**
 * Trades speed that a supervisor never needs for memory that every worktree pays for: no optimizing compiler, a heap that
 * prefers to stay small, and a young generation that stays as small as it starts. To be called before anything large is
 * imported. Saves 7 of the 21 MB that are otherwise dirty after the start.
 */
export function beFrugal(): void {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
