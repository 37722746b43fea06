/** The root cannot be listed, so nothing is known about any file; never to be taken for an empty tree. */
export class RootUnreadable extends Error {
  override readonly name = 'RootUnreadable';
  /** The system's error, e.g. `ENOENT`. */
  readonly code: string;

  constructor(root: string, code: string) {
    super(`the root ${root} cannot be read (${code})`);
    this.code = code;
  }
}

/** The caller asked the scan to stop; what it found is thrown away, because half a scan looks like deletions. */
export class ScanStopped extends Error {
  override readonly name = 'ScanStopped';

  constructor() {
    super('the scan was stopped');
  }
}
