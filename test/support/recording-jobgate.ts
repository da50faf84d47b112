import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const OK = { status: 200, text: 'OK' };

/** Stands in for jobgate towards a worker program: answers OK to all reports and remembers them. */
export class RecordingJobgate {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;
  #answer = OK;
  #hold: ((release: () => void) => void) | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#record(request, response);
    });
  }

  static async start(): Promise<RecordingJobgate> {
    const jobgate = new RecordingJobgate();
    jobgate.#server.listen(0, '127.0.0.1');
    await once(jobgate.#server, 'listening');
    return jobgate;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Answers every further request with this. */
  refuse(status: number, text: string): void {
    this.#answer = { status, text };
  }

  /** Forgets all requests, and answers OK again. */
  reset(): void {
    this.requests.length = 0;
    this.#answer = OK;
  }

  /** Keeps the next request waiting. Resolves once it has come, with what lets it go. */
  holdNext(): Promise<() => void> {
    return new Promise((resolve) => {
      this.#hold = resolve;
    });
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path, headers } = request;
    const body: unknown = JSON.parse(await text(request));
    this.requests.push({ method, path, authorization: headers.authorization, body });
    const { status, text: answer } = this.#answer;
    const send = () => response.writeHead(status).end(answer);
    const hold = this.#hold;
    this.#hold = undefined;
    if (hold === undefined) send();
    else hold(send);
  }
}
