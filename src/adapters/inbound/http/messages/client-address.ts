import type { IncomingMessage } from 'node:http';

/**
 * The address that a request comes from; undefined once its connection is closed. A socket for both families reports a
 * client of IPv4 in the form of IPv6.
 */
export function clientAddress({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
}
