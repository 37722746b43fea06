import { createServer, type Socket } from 'node:net';

/** More channels than any wrapper opens; a child that wants more only loses the new ones. */
const MAX_CONNECTIONS = 16;

/** The listening end of an attempt's event socket. */
export interface EventSocket {
  readonly path: string;
  close(): void;
}

/** Listens on `path`. Resolves with null when that fails. Calls `onChannel` for every connection. */
export function listenForEvents(path: string, onChannel: (channel: Socket) => void): Promise<EventSocket | null> {
  return new Promise((resolve) => {
    const server = createServer(onChannel);
    server.maxConnections = MAX_CONNECTIONS;
    server.on('error', () => resolve(null));
    // exclusive: started by a cluster's worker, Node would ask the cluster's primary to listen, and wait for ever
    server.listen({ path, exclusive: true }, () => resolve({ path, close: () => server.close() }));
  });
}
