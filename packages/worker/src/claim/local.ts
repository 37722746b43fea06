/** Whether a directory lies on a file system of this kernel alone. */
import { statfsSync } from 'node:fs';

/** Linux `statfs` types that another kernel can reach too: NFS, SMB, SMB2, CIFS, AFS, Coda, 9p, FUSE and virtiofs, Ceph. */
const SHARED_TYPES: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x73757245, 0x01021997, 0x65735546, 0x00c36400,
]);

/** `network` in every doubt; elsewhere than on Linux the types mean nothing to us. */
export function fileSystemOf(directory: string): 'local' | 'network' {
  if (process.platform !== 'linux') return 'network';
  try {
    // some kernels hand the type out as a signed 32-bit number
    return SHARED_TYPES.has(statfsSync(directory).type >>> 0) ? 'network' : 'local';
  } catch {
    return 'network';
  }
}
