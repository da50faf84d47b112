import { randomBytes } from 'node:crypto';

/** The headers that ask for a WebSocket, for a request that is written by hand. */
export const WEB_SOCKET_UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;
