import type Client from 'undici/lib/dispatcher/client.js';
import symbols from 'undici/lib/core/symbols.js';

const [CONTINUE, PROCESSING] = [100, 102];

/** The part of a client that parses the answers on a connection. */
interface Parser {
  execute(chunk: Buffer): void;
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number;
}

interface Internals {
  readonly [symbols.kSocket]: { readonly destroyed: boolean; readonly [symbols.kParser]: Parser };
}

/**
 * Reports all bytes that arrive over the connection just made, before they are parsed. It also treats an unsolicited
 * 100 (Continue) like any other interim answer: HTTP requires clients to ignore it (RFC 9110, 15.2), but the library
 * ends the connection.
 */
export function watchParser(client: Client, onBytes: (bytes: number) => void): void {
  const { [symbols.kSocket]: socket } = client as unknown as Internals;
  const { [symbols.kParser]: parser } = socket;
  const execute = parser.execute.bind(parser);
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  parser.execute = (chunk) => {
    onBytes(chunk.length);
    if (!socket.destroyed) execute(chunk);
  };
  parser.onHeadersComplete = (status, upgrade, keepAlive) =>
    onHeadersComplete(status === CONTINUE ? PROCESSING : status, upgrade, keepAlive);
}
