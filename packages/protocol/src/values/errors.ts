/** The code of an error of the system or of Node, such as ENOSPC, or null for anything else. */
export function errnoOf(error: unknown): string | null {
  // Not `instanceof Error`: an error may come out of another context of the virtual machine.
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
