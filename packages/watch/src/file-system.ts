import { statfsSync } from 'node:fs';

/**
 * File systems that another kernel can reach too, by the magic numbers of <linux/magic.h>: this one neither hears of what
 * others write there nor sees all who hold a lock. Overlays and local file systems are not among them; FUSE is what most
 * shares of a virtual machine's host look like.
 */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB2'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
]);

export type FileSystem =
  | { readonly kind: 'local' }
  | { readonly kind: 'shared'; readonly name: string }
  /** Not Linux, or out of reach. */
  | { readonly kind: 'unknown' };

/** What kind of file system a path (absolute, text) lies on; the deepest mount decides. */
export function fileSystemOf(path: string): FileSystem {
  if (process.platform !== 'linux') return { kind: 'unknown' };
  try {
    // some kernels hand the type out as a signed 32-bit number
    const name = SHARED.get(statfsSync(path).type >>> 0);
    return name === undefined ? { kind: 'local' } : { kind: 'shared', name };
  } catch {
    return { kind: 'unknown' };
  }
}
