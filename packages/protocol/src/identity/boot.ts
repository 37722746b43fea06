import { readFileSync } from 'node:fs';

let known: string | null = null;

/** Identity of this boot of the kernel: clock ticks are counted from it. Empty where the kernel does not say. */
export function bootId(): string {
  known ??= readBootId();
  return known;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
