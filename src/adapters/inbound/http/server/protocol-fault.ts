import type { IncomingMessage } from 'node:http';

/** A request in an invalid form that the parser accepts nevertheless. The message is written for the client. */
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
 * Finds a fault in the form of a request. Its end, its target and its sender must be unambiguous to every server on its
 * way (RFC 9112, sections 2.3, 3.2 and 6.1).
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
  const repeated = repeatedHeader(rawHeaders);
  if (repeated === undefined) return undefined;
  return new ProtocolFault(400, `A request must not have more than one ${repeated} header`);
}

/** Of several headers, Node keeps the first, while another server may take the last. */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let [hosts, credentials] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) return 'Host';
  return credentials > 1 ? 'Authorization' : undefined;
}
