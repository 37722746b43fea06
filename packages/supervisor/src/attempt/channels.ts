import type { Readable } from 'node:stream';
import { createFloodMeter, openRecordReader } from '@woods/protocol';
import { type Clock, pause } from '../clock/clock.ts';

/** All ways on which one attempt's child reports: the inherited descriptor and any number of socket connections. */
export interface Channels {
  add(channel: Readable): void;
  /** Resolves when all that was sent has been read: every channel is at its end, or 100 ms are over. */
  drained(): Promise<void>;
  close(): void;
}

export interface ChannelHandlers {
  /** One parsed record. */
  onValue(value: unknown): void;
  /** A channel broke the framing; comes at most once. */
  onRefused(refusal: { reason: string; detail: string }): void;
}

const DRAIN_MS = 100;

export function openChannels(handlers: ChannelHandlers, clock: Clock): Channels {
  const meter = createFloodMeter();
  const open = new Map<Readable, { close(): void }>();
  const streams = new Set<Readable>();
  const whenIdle = new AbortController();
  let draining = false;
  let refused = false;

  function add(channel: Readable): void {
    streams.add(channel);
    channel.once('close', () => streams.delete(channel));
    const reader = openRecordReader(
      channel,
      {
        onValue(value) {
          if (!refused) handlers.onValue(value);
        },
        onRefused(refusal) {
          finished(channel);
          // read on, into nothing: a child that blocks on a full pipe could not answer TERM
          channel.resume();
          if (!refused) handlers.onRefused(refusal);
          refused = true;
        },
        onEnd: () => finished(channel),
      },
      { meter, now: () => clock.now() },
    );
    open.set(channel, reader);
  }

  function finished(channel: Readable): void {
    open.delete(channel);
    if (draining && open.size === 0) whenIdle.abort();
  }

  return {
    add,
    async drained() {
      // a connection that the kernel has accepted for us shows up one turn later
      await new Promise((resolve) => setImmediate(resolve));
      if (open.size === 0) return;
      draining = true;
      await pause(clock, DRAIN_MS, whenIdle.signal);
    },
    close() {
      for (const reader of open.values()) reader.close();
      for (const stream of streams) stream.destroy();
      open.clear();
    },
  };
}
