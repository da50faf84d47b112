import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Receiver } from '@upstash/qstash';
import { verifySignature, verifySignatureAppRouter } from '@upstash/qstash/nextjs';
import { expect } from 'chai';
import express, { type Express, type Request as Asked, type Response as Answer } from 'express';
import { memory } from '../sqs/support/stores.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { KEYS, QstashService } from './support/qstash-service.ts';

type Verifying<Handler> = (handler: Handler, keys: typeof KEYS) => Handler;

/** The adapters have the types of Next.js, which is not there; Express calls handlers alike. */
const ofPages = verifySignature as unknown as Verifying<
  (request: Asked, response: Answer) => unknown
>;
const ofAppRouter = verifySignatureAppRouter as unknown as Verifying<
  (request: Request) => Promise<Response>
>;

/** Writes no errors of handlers to the console. */
function quietExpress(): Express {
  return express().set('env', 'test');
}

describe('receivers of QStash', () => {
  let service: QstashService;
  let server: Server | undefined;
  const received = new Mailbox<string>();

  before(async () => {
    service = await QstashService.start(await memory());
  });
  after(() => service.stop());
  afterEach(() => server?.close().closeAllConnections());

  async function listening(app: Express): Promise<string> {
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Publishes a message, and a forged one that no handler may get. */
  async function publish(url: string): Promise<void> {
    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'upstash-signature': 'e30.e30.x' },
      body: '{"hello":"forger"}',
    });
    expect(forged.ok).to.equal(false);
    await service.client.publishJSON({ url, body: { hello: 'wörld' } });
    expect(await received.take()).to.equal('{"hello":"wörld"}');
  }

  // holds: qstash.receivers
  it('verify what a handler of Express gets', async () => {
    const receiver = new Receiver(KEYS);
    const app = quietExpress();
    app.post('/hook', express.text({ type: '*/*' }), (request, response) => {
      const body = request.body as string;
      const signature = request.get('upstash-signature') ?? '';
      const url = `http://${request.get('host') ?? ''}/hook`;
      receiver.verify({ signature, body, url, clockTolerance: 0 }).then(
        () => {
          received.put(body);
          response.sendStatus(200);
        },
        () => response.sendStatus(401),
      );
    });
    await publish(`${await listening(app)}/hook`);
  });

  it("verify what the adapters of Next.js's routers get", async () => {
    const pages = ofPages((request, response) => {
      received.put(JSON.stringify(request.body));
      response.status(200).end();
    }, KEYS);
    const appRouter = ofAppRouter(async (request) => {
      received.put(await request.text());
      return new Response('ok');
    }, KEYS);
    const app = quietExpress();
    app.post('/pages', (request, response, next) => {
      Promise.resolve(pages(request, response)).catch(next);
    });
    app.post('/app', express.text({ type: '*/*' }), (request, response, next) => {
      const headers = new Headers(request.headers as Record<string, string>);
      const body = request.body as string;
      const given = new Request('http://app.test/', { method: 'POST', headers, body });
      Promise.resolve(appRouter(given)).then((answered) => {
        response.sendStatus(answered.status);
      }, next);
    });
    const url = await listening(app);
    await publish(`${url}/pages`);
    await publish(`${url}/app`);
  });
});
