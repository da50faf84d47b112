import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The site of somebody who uses jobgate: an empty page and, at `/ticket`, what its own server gets for the page. For
 * browsers it is another site than services at 127.0.0.1.
 */
export class TicketSite {
  readonly #server: Server;

  private constructor(issue: () => Promise<string>) {
    this.#server = createServer((request, response) => {
      if (request.url !== '/ticket') {
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Site</title>');
        return;
      }
      issue().then(
        (ticket) => response.end(ticket),
        () => response.destroy(),
      );
    });
  }

  static async start(issue: () => Promise<string>): Promise<TicketSite> {
    const site = new TicketSite(issue);
    site.#server.listen(0, '127.0.0.1');
    await once(site.#server, 'listening');
    return site;
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
