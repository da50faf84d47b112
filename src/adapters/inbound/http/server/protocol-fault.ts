import type { IncomingMessage } from 'node:http';

/** A request that the parser lets pass though its very form is wrong. The message is written for its client. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code = 'ERR_PROTOCOL_FAULT';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * What is wrong with the form of a request. Where one request ends, and whom it is for, must be beyond
 * doubt for every server that it passes (RFC 9112, sections 2.3, 3.2 and 6.1).
 */
export function protocolFault(request: IncomingMessage): ProtocolFault | undefined {
  const { httpVersion, rawHeaders } = request;
  if (httpVersion !== '1.1') {
    if (httpVersion !== '1.0') {
      return new ProtocolFault(
        505,
        `HTTP/${httpVersion} is not spoken here, only HTTP/1.1 and 1.0`,
      );
    }
    if (request.headers['transfer-encoding'] !== undefined) {
      return new ProtocolFault(400, 'A request of HTTP/1.0 must not have a Transfer-Encoding');
    }
  }
  if (countHosts(rawHeaders) > 1) {
    return new ProtocolFault(400, 'A request must not have more than one Host header');
  }
  return undefined;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
