import { connect, type Socket } from 'node:net';
import { Bystander } from './bystander.ts';
import { MemoryWatch } from './process-memory.ts';
import type { ServiceProcess } from './service-process.ts';

/** What an attack did to the service, and to its other clients. */
export interface Damage {
  /** The statuses that the attackers were answered with, and how often. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Megabytes of memory at the most above those before the attack. */
  readonly growth: number;
  readonly bystander: Bystander;
  readonly memory: MemoryWatch;
}

/** Connections of clients that mean no good, made and ended together. */
export class Attack {
  /** The statuses that it was answered with so far, and how often. */
  readonly statuses: Record<string, number> = {};
  readonly #port: number;
  readonly #sockets = new Set<Socket>();

  private constructor(service: ServiceProcess) {
    this.#port = Number(new URL(service.url).port);
  }

  /** Attacks while an ordinary client is served and the memory is watched; then drops all connections. */
  static async on(
    service: ServiceProcess,
    run: (attack: Attack, bystander: Bystander) => Promise<void>,
  ): Promise<Damage> {
    const bystander = new Bystander(service);
    await bystander.another();
    const memory = new MemoryWatch(service.pid);
    const attack = new Attack(service);
    try {
      await run(attack, bystander);
      await bystander.another();
    } finally {
      for (const socket of attack.#sockets) socket.destroy();
      await bystander.end();
      memory.end();
    }
    const growth = memory.peak - memory.before;
    return { statuses: attack.statuses, growth, bystander, memory };
  }

  /** How many of its connections are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Opens a connection that notes the statuses it gets. Resolves when it is made. */
  connect(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    this.#sockets.add(socket);
    socket.on('data', (chunk: Buffer) => {
      this.#note(chunk.toString('latin1'));
    });
    return new Promise((resolve) => {
      const done = (): void => {
        resolve(socket);
      };
      socket.once('connect', done).on('error', done);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Sends the bytes, at the pace they are taken, over a connection of its own until it closes. */
  async send(chunks: Iterable<string | Buffer>): Promise<void> {
    const socket = await this.connect();
    for (const chunk of chunks) {
      if (socket.destroyed || !socket.writable) return;
      if (!socket.write(chunk)) await drained(socket);
    }
  }

  /** As `send`, and waits for the end of the connection. */
  async exchange(bytes: string | Buffer): Promise<void> {
    const socket = await this.connect();
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  }

  #note(text: string): void {
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    }
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
