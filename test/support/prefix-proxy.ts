import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves another server below a path of its own, and nothing else. */
export class PrefixProxy {
  readonly #server: Server;

  private constructor(prefix: string, target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming;
      if (!url.startsWith(`${prefix}/`)) {
        outgoing.writeHead(404).end();
        return;
      }
      const onward = request(target + url.slice(prefix.length), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    });
  }

  static async start(prefix: string, target: string): Promise<PrefixProxy> {
    const proxy = new PrefixProxy(prefix, target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
