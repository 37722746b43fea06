import { statfsSync } from 'node:fs';

/**
 * File systems on which others write without this kernel's notice, by the magic numbers of <linux/magic.h>. Overlays
 * and local file systems are not among them. FUSE is what most shares of a virtual machine's host look like.
 */
const FOREIGN: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB2'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
]);

/** The kind of file system, when changes of others are not seen there; null when they are, or nothing can be told. */
export function foreignFileSystem(path: string): string | null {
  try {
    // Node hands the number on as signed on some systems.
    return FOREIGN.get(statfsSync(path).type >>> 0) ?? null;
  } catch {
    return null;
  }
}
