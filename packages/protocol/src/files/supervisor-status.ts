/** `watch_supervisors/<launcher>.json`: what one supervisor says of itself. */
import { join } from 'node:path';
import { TOKEN_PATTERN } from '../names/variables.ts';
import {
  integer,
  nonEmptyText,
  nullable,
  oneOf,
  optional,
  positiveInteger,
  reasonWord,
  text,
  utcTime,
} from '../values/kinds.ts';
import { decodeFields } from './decode.ts';
import { type Read, readJsonFile } from './read-json.ts';

const SUPERVISION_STATES = [
  'starting',
  'booting',
  'reconciling',
  'ready',
  'degraded',
  'retrying',
  'parked',
  'stopped',
] as const;
export type SupervisionState = (typeof SUPERVISION_STATES)[number];

export interface SupervisorStatus {
  readonly version: 1;
  /** The supervisor's token, which also names the file. */
  readonly launcher: string;
  readonly pid: number;
  /** As `processStart` gives it; null where it is unknown, and in files of the gem. */
  readonly pid_started: string | null;
  readonly host: string;
  /** ISO 8601 UTC. */
  readonly updated_at: string;
  readonly state: SupervisionState;
  /** `[a-z_]{1,80}`. */
  readonly reason: string;
  /** The attempt's token. */
  readonly attempt: string;
  readonly child_pid: number | null;
  /** ISO 8601 UTC, while retrying. */
  readonly retry_at?: string;
}

const MAX_BYTES = 8192;

const token = text('1 to 128 letters, digits, - or _', TOKEN_PATTERN);

const FIELDS = {
  launcher: token,
  pid: positiveInteger,
  pid_started: optional(nonEmptyText),
  host: nonEmptyText,
  updated_at: utcTime,
  state: oneOf(SUPERVISION_STATES),
  reason: reasonWord,
  attempt: token,
  child_pid: nullable(positiveInteger),
  retry_at: optional(utcTime),
  version: integer({ min: 1, max: 1 }),
};

export function supervisorsDirectory(indexDir: string): string {
  return join(indexDir, 'watch_supervisors');
}

/** Throws RangeError when the status would be longer than readers accept (8,192 bytes). */
export function encodeSupervisorStatus(status: SupervisorStatus): string {
  const encoded = `${JSON.stringify(status)}\n`;
  const bytes = Buffer.byteLength(encoded);
  if (bytes > MAX_BYTES)
    throw new RangeError(`a supervisor's status may be ${MAX_BYTES} bytes long, this one is ${bytes}`);
  return encoded;
}

export function decodeSupervisorStatus(object: Readonly<Record<string, unknown>>): Read<SupervisorStatus> {
  return decodeFields(object, FIELDS, ({ version: _, retry_at, ...status }) => ({
    version: 1 as const,
    ...status,
    ...(retry_at === null ? {} : { retry_at }),
  }));
}

/** One file of the directory; a record under another name than its launcher's is not believed. */
export function readSupervisorFile(directory: string, name: string): Read<SupervisorStatus> {
  const read = readJsonFile(join(directory, name), MAX_BYTES, decodeSupervisorStatus);
  if (read.kind !== 'ok' || name === supervisorFileName(read.value.launcher)) return read;
  return { kind: 'corrupt', detail: `expected the launcher that the name says, found ${read.value.launcher}` };
}

export function supervisorFileName(launcher: string): string {
  return `${launcher}.json`;
}
