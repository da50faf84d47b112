import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a connection may carry before it is cut: bytes towards the server, bytes back from it. */
export interface CutAfter {
  readonly sent?: number;
  readonly received?: number;
}

/** A TCP proxy on the loopback interface that cuts the connections through it on request. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: CutAfter | undefined;
  #cutEach: CutAfter | undefined;
  #freezing: { readonly at: string; readonly done: () => void } | undefined;
  #frozen = false;
  #waiting = 0;
  readonly #carried = { sent: 0, received: 0 };

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (this.#frozen) this.#waiting += 1;
      const target = connect(targetPort, '127.0.0.1');
      this.#carry(client, target, 'sent');
      this.#carry(target, client, 'received');
    });
  }

  static async start(targetPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on connections are cut, once, as soon as they have carried that many more bytes. */
  cutAfter(cut: CutAfter): void {
    this.#cut = cut;
  }

  /** From now on each connection is cut as soon as it has carried that many bytes. */
  cutEachAfter(cut: CutAfter): void {
    this.#cutEach = cut;
  }

  /** How many bytes all connections have carried. */
  get carried(): Required<CutAfter> {
    return { ...this.#carried };
  }

  /** Carries nothing any more, in silence, as a network that swallows packets does. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Freezes behind the first piece of clients that has a text, which the server gets whole, and resolves then. */
  freezeAt(text: string): Promise<void> {
    return new Promise((done) => {
      this.#freezing = { at: text, done };
    });
  }

  /** How many connections were made since it froze. */
  get waiting(): number {
    return this.#waiting;
  }

  thaw(): void {
    this.#frozen = false;
    this.#waiting = 0;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #freezeBehind(chunk: Buffer): void {
    const freezing = this.#freezing;
    if (freezing === undefined || !chunk.includes(freezing.at)) return;
    this.#freezing = undefined;
    this.freeze();
    freezing.done();
  }

  #carry(from: Socket, to: Socket, direction: keyof CutAfter): void {
    this.#sockets.add(from);
    if (this.#frozen) from.pause();
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    let carried = 0;
    from.on('data', (chunk: Buffer) => {
      if (direction === 'sent') this.#freezeBehind(chunk);
      const leftOnce = this.#cut?.[direction] ?? Infinity;
      const left = Math.min(leftOnce, (this.#cutEach?.[direction] ?? Infinity) - carried);
      carried += chunk.length;
      this.#carried[direction] += chunk.length;
      if (chunk.length < left) {
        if (leftOnce < Infinity) this.#cut = { [direction]: leftOnce - chunk.length };
        to.write(chunk);
      } else {
        if (leftOnce === left) this.#cut = undefined;
        to.write(chunk.subarray(0, left), () => {
          from.destroy();
          to.destroy();
        });
      }
    });
  }
}
