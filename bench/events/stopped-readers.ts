import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WEB_SOCKET_UPGRADE } from '../../test/support/web-socket-upgrade.ts';
import { requestBytes, type Target } from '../load.ts';
import type { ServerProcess } from '../server-process.ts';

/** Milliseconds between two looks at the service. */
const INTERVAL = 100;

/** Subscribers of one queue that take the beginning of their answer and nothing behind it. */
export class StoppedReaders {
  readonly #sockets: Socket[] = [];
  readonly #service: ServerProcess;

  private constructor(service: ServerProcess) {
    this.#service = service;
  }

  /** Resolves when all have stopped. Every other one asked for a WebSocket. */
  static async gather(
    service: ServerProcess,
    target: Target,
    queue: string,
    size: number,
  ): Promise<StoppedReaders> {
    const readers = new StoppedReaders(service);
    for (let joined = 0; joined < size; joined += 1) {
      await readers.#join(target, `/queues/${queue}/events`, joined % 2 === 1);
    }
    return readers;
  }

  /** How many of them the service still has. */
  get open(): number {
    const { clientPorts } = this.#service;
    return this.#sockets.filter(({ localPort = 0 }) => clientPorts.has(localPort)).length;
  }

  /** Resolves when so many are left at most. */
  async untilLeft(most: number): Promise<void> {
    while (this.open > most) await sleep(INTERVAL);
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #join(target: Target, path: string, isWebSocket: boolean): Promise<void> {
    const socket = connect(target.port, target.host).on('error', () => undefined);
    this.#sockets.push(socket);
    const request = requestBytes(target, { method: 'GET' }, path);
    socket.write(isWebSocket ? withUpgrade(request) : request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const status = isWebSocket ? '101' : '200';
    if (!answer.toString().startsWith(`HTTP/1.1 ${status} `)) {
      throw new Error(`The service answered ${answer.toString()}`);
    }
  }
}

function withUpgrade(request: Buffer): string {
  return request.toString().replace('\r\n\r\n', `\r\n${WEB_SOCKET_UPGRADE}\r\n`);
}
