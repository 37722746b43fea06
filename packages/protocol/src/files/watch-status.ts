/** `watch_status.json`: what the running worker, or the last one, says of itself. */
import { join } from 'node:path';
import type { JsonObject } from '../values/json.ts';
import {
  integer,
  jsonObject,
  nonEmptyText,
  nullable,
  oneOf,
  optional,
  positiveInteger,
  utcTime,
} from '../values/kinds.ts';
import { atomicWrite } from './atomic-write.ts';
import { decodeFields } from './decode.ts';
import { type Read, readJsonFile } from './read-json.ts';

export interface WatchStatus {
  readonly state: 'running' | 'degraded' | 'stopped';
  readonly reason: string | null;
  /** The last published generation this worker knows of. */
  readonly generation: number | null;
  readonly pid: number;
  /** As `processStart` gives it; null where it is unknown, and in files of the gem. */
  readonly pid_started: string | null;
  readonly host: string;
  /** ISO 8601 UTC. */
  readonly updated_at: string;
  /** Backend, batch size, held files and the like: for people and for `watch-status`, never for decisions. */
  readonly detail?: JsonObject;
}

const NAME = 'watch_status.json';
const MODE = 0o644;
const MAX_BYTES = 65_536;

const FIELDS = {
  state: oneOf(['running', 'degraded', 'stopped']),
  reason: nullable(nonEmptyText),
  generation: nullable(integer({ min: 0 })),
  pid: positiveInteger,
  pid_started: optional(nonEmptyText),
  host: nonEmptyText,
  updated_at: utcTime,
  detail: optional(jsonObject),
};

export function watchStatusPath(indexDir: string): string {
  return join(indexDir, NAME);
}

/** Replaces the status. A detail that would make the file too long for readers is left out and said so. Throws the system's error. */
export function writeWatchStatus(indexDir: string, status: WatchStatus): void {
  atomicWrite(watchStatusPath(indexDir), encodeWatchStatus(status), { mode: MODE });
}

/** Never throws: a file that is not a whole, valid status is `corrupt`. */
export function readWatchStatus(indexDir: string): Read<WatchStatus> {
  return readJsonFile(watchStatusPath(indexDir), MAX_BYTES, decodeWatchStatus);
}

function encodeWatchStatus(status: WatchStatus): string {
  const text = toText(status);
  return Buffer.byteLength(text) <= MAX_BYTES ? text : toText({ ...status, detail: { left_out: 'too long' } });
}

export function decodeWatchStatus(object: Readonly<Record<string, unknown>>): Read<WatchStatus> {
  return decodeFields(object, FIELDS, ({ detail, ...status }) => (detail === null ? status : { ...status, detail }));
}

function toText(status: WatchStatus): string {
  return `${JSON.stringify(status, null, 2)}\n`;
}
