/** A call that Node lacks cannot be made here: koffi has no build for this platform, or the C library no such function. */
export class PosixUnavailable extends Error {
  override readonly name = 'PosixUnavailable';
}
