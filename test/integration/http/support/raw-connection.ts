import { connect, type Socket } from 'node:net';

/** A connection that sends arbitrary bytes, for requests that no HTTP client would make. */
export class RawConnection {
  readonly socket: Socket;
  #received = '';

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    // A test may expect a reset; the bytes received before it count.
    this.socket.on('error', () => undefined);
    this.socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#received += chunk;
    });
  }

  send(text: string | Buffer): this {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
    return this;
  }

  /** Everything received so far, as soon as it holds the text. */
  async until(text: string): Promise<string> {
    while (!this.#received.includes(text)) {
      if (this.socket.closed) throw new Error(`Closed after: ${this.#received}`);
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.socket.off('data', done).off('close', done);
          resolve();
        };
        this.socket.on('data', done).on('close', done);
      });
    }
    return this.#received;
  }

  /** Everything received until the other side closed the connection. */
  async untilClosed(): Promise<string> {
    // Not `once`, which would treat a reset as a failure of the test.
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve));
    return this.#received;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The status code of the first answer in a text of raw answers. */
export function statusOf(raw: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(raw)?.[1]);
}
