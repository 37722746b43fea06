/** inotify(7): one descriptor with its watches, read without ever waiting longer than asked. */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { callError } from '../library/c-library.ts';
import { eachEvent, type InotifyEvent } from './events.ts';
import { type InotifyLibrary, inotifyLibrary } from './library.ts';

export interface Inotify {
  /** A descriptor that ends a running `wait` when eight bytes of an integer above 0 are written to it, from any thread. */
  readonly wakeFd: number;
  /**
   * Watches a directory (absolute byte path, latin1) for whatever may change it or what is in it. The same directory under
   * another name gives the same number. `error` is the system's name of what went wrong, such as `ENOENT` or `ENOSPC`.
   */
  watch(path: string): { readonly watch: number } | { readonly error: string };
  /** Forgets a watch; one that is gone already is no error. */
  unwatch(watch: number): void;
  /** Waits until there is something to read, at most `timeoutMs`. `woken`: somebody wrote to `wakeFd`. */
  wait(timeoutMs: number): 'readable' | 'woken' | 'nothing';
  /** Hands over everything that can be read now. */
  drain(take: (event: InotifyEvent) => void): void;
  close(): void;
}

/** <sys/inotify.h>, the same on all architectures. */
export const IN = {
  modify: 0x2,
  attrib: 0x4,
  closeWrite: 0x8,
  movedFrom: 0x40,
  movedTo: 0x80,
  create: 0x100,
  delete: 0x200,
  deleteSelf: 0x400,
  moveSelf: 0x800,
  unmount: 0x2000,
  overflow: 0x4000,
  ignored: 0x8000,
  onlyDirectory: 0x1000000,
  dontFollow: 0x2000000,
  exclUnlink: 0x4000000,
  isDirectory: 0x40000000,
} as const;

/** Never what merely reads: a reader would fill its own queue. IN_CLOSE_WRITE is what tells of writes through mmap. */
const MASK =
  IN.modify |
  IN.attrib |
  IN.closeWrite |
  IN.movedFrom |
  IN.movedTo |
  IN.create |
  IN.delete |
  IN.deleteSelf |
  IN.moveSelf |
  IN.onlyDirectory |
  IN.dontFollow |
  IN.exclUnlink;

const NONBLOCK = 0o4000;
const CLOEXEC = 0o2000000;
const POLLIN = 1;
/** An event is at most 16 bytes and a name of 256. */
const BUFFER_BYTES = 256 * 1024;

/**
 * Opens a descriptor without watches. Throws PosixUnavailable where inotify cannot be called, and a system error such as
 * `EMFILE` when the user has too many instances (`fs.inotify.max_user_instances`).
 */
export function openInotify(): Inotify {
  const c = inotifyLibrary();
  const fd = c.init(NONBLOCK | CLOEXEC);
  if (fd < 0) throw callError('inotify_init1', c.errno());
  const wakeFd = c.eventfd(0, NONBLOCK | CLOEXEC);
  if (wakeFd < 0) {
    const errno = c.errno();
    c.close(fd);
    throw callError('eventfd', errno);
  }
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const requests = new Int32Array([fd, POLLIN, wakeFd, POLLIN]);
  const answers = new Int16Array(requests.buffer);

  return {
    wakeFd,
    watch(path) {
      const watch = c.addWatch(fd, Buffer.from(`${path}\0`, 'latin1'), MASK);
      return watch >= 0 ? { watch } : { error: getSystemErrorName(-c.errno()) };
    },
    unwatch(watch) {
      c.removeWatch(fd, watch);
    },
    wait(timeoutMs) {
      const ready = c.poll(requests, 2, Math.max(0, Math.ceil(timeoutMs)));
      if (ready < 0 && c.errno() !== constants.errno.EINTR) throw callError('poll', c.errno());
      if (ready <= 0) return 'nothing';
      return answers[7] === 0 ? 'readable' : 'woken';
    },
    drain: (take) => drain(c, fd, buffer, take),
    close() {
      c.close(fd);
      c.close(wakeFd);
    },
  };
}

function drain(c: InotifyLibrary, fd: number, buffer: Buffer, take: (event: InotifyEvent) => void): void {
  const { EAGAIN, EINTR } = constants.errno;
  for (;;) {
    const bytes = Number(c.read(fd, buffer, buffer.length));
    if (bytes > 0) {
      eachEvent(buffer.subarray(0, bytes), take);
      continue;
    }
    const errno = c.errno();
    if (bytes === 0 || errno === EAGAIN) return;
    if (errno !== EINTR) throw callError('read', errno);
  }
}
