import { expect } from 'chai';
import type { OpenApiDocument } from '../../../src/adapters/inbound/http/messages/openapi.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const SECRET = 'T0-hidden';
const NAMES: Readonly<Record<string, string>> = {
  ...{ queue: 'mail', jobId: 'one', schedulerId: 'nightly', hook: 'on-call', group: 'acme' },
  ...{ deduplicationId: 'id', delivery: 'id', set: 'default', id: 'id' },
};

/** What shows a URL, as a method and a path. */
const SHOWING = [
  ...['GET /workers', 'GET /workers?view=health', 'GET /workers/mail'],
  ...['GET /queues', 'GET /queues?state=idle', 'GET /queues?view=figures'],
  ...['GET /queues?view=figures&sort=waiting', 'GET /queues/mail', 'GET /queues/mail/policy'],
  ...['GET /policy', 'GET /hooks', 'GET /hooks/on-call', 'GET /schedulers'],
  ...['GET /queues/mail/schedulers', 'GET /queues/mail/schedulers/nightly'],
  ...['GET /queues/mail/jobs', 'GET /queues/mail/jobs/one', 'GET /queues/mail/jobs/search'],
  ...['GET /flows/mail/one', 'POST /queues/mail/schedulers/nightly/run'],
  ...['POST /queues/mail/jobs', 'POST /queues/mail', 'POST /flows', 'PATCH /queues/mail/jobs/late'],
  ...['POST /queues/mail/jobs/claim', 'POST /workers/mail/test', 'POST /hooks/on-call/test'],
  ...['POST /mcp workers', 'POST /mcp overview', 'POST /mcp get_queue', 'POST /mcp get_job'],
  ...['POST /mcp list_queues', 'POST /mcp schedulers', 'POST /mcp hooks', 'POST /mcp control_hook'],
];

/** The bodies of requests that change something, by method and path. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /queues/mail/jobs': [{ name: 'work', data: 1 }],
  'POST /queues/mail': [{ name: 'work', data: 1, opts: { jobId: 'one' } }],
  'POST /flows': { queue: 'mail', name: 'root', data: 1 },
  'PATCH /queues/mail/jobs/late': { delay: 3_600_000 },
  ...tool('workers', { queue: 'mail' }),
  ...tool('overview', { hook: 'on-call' }),
  ...tool('get_queue', { queue: 'mail' }),
  ...tool('get_job', { queue: 'mail', id: 'one' }),
  ...tool('list_queues', {}),
  ...tool('schedulers', {}),
  ...tool('hooks', {}),
  ...tool('control_hook', { id: 'on-call', action: 'test' }),
};

describe('URLs of workers, hooks, callbacks and destinations', () => {
  let service: HttpService;
  let receiver: EndpointServer;

  before(async () => {
    receiver = await EndpointServer.start();
    const rights = ['read', 'data', 'add', 'process', 'operate', 'metrics', 'tokens', 'audit'];
    const tokens = restrictedTokens({
      blind: { rights: rights as never, queues: null },
      owner: { rights: [...rights, 'configure'] as never, queues: ['mail', 'quiet'] },
    });
    service = await new HttpService({ knownTokens: tokens }).start();
    const url = `${receiver.origin}/services/${SECRET}?key=${SECRET}`;
    const callback = { url };
    const callbacks = { origins: [receiver.origin] };
    const endpoint = { url };
    const endpoints = callbacks;
    const job = { name: 'work', data: 1, opts: { callback, endpoint } };
    await send('PUT /queues/mail/policy', { callbacks, callback, endpoints });
    await send('PUT /policy', { callbacks, defaults: { callback } });
    for (const queue of ['mail', 'quiet']) {
      const ofWorker = { url, method: 'post' };
      await send('POST /workers', { queue, endpoint: ofWorker, opts: { concurrency: 10 } });
    }
    await send('PUT /hooks/on-call', { url, events: ['worker.open'], queues: ['mail'] });
    await send('PUT /queues/mail/schedulers/nightly', { repeat: { every: 86_400_000 }, job });
    const child = { ...job, queue: 'mail' };
    const root = { ...child, opts: { ...job.opts, jobId: 'one' } };
    await send('POST /flows', { ...root, children: [child] });
    await send('POST /queues/mail/jobs', [
      { ...job, opts: { ...job.opts, jobId: 'late', delay: 60_000 } },
    ]);
    await service.clock.advance(5000);
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  async function send(request: string, body: unknown, token = TOKEN): Promise<string> {
    const [method = '', path = ''] = request.split(' ');
    const accept = 'application/json, text/event-stream';
    const headers = path === '/mcp' ? { accept } : {};
    const { status, text } = await service.request(method, path, { token, body, headers });
    expect(status, `${request}: ${text}`).to.equal(200);
    return text;
  }

  // holds: rights.urls, destinations.urls
  it('are whole for tokens with the right configure, and origins for all others', async () => {
    for (const request of SHOWING) {
      const body = BODIES[request];
      const shown = await send(request, body, 'blind');
      expect(shown, request).to.contain(receiver.origin).and.not.to.contain(SECRET);
      if (!request.endsWith('/policy') || request.includes('mail')) {
        expect(await send(request, body, 'owner'), request).to.contain(SECRET);
      }
    }
  });

  // holds: rights.urls
  it('are nowhere else in what the service answers to those', async () => {
    const { text } = await service.request('GET', '/openapi.json');
    const { paths } = JSON.parse(text) as OpenApiDocument;
    const reads = Object.entries(paths).flatMap(([path, methods]) => {
      if (!('get' in methods) || path.endsWith('/events') || path.startsWith('/store/')) return [];
      const named = path.replace(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? name);
      return [path.endsWith('/result') ? `${named}?timeout=0` : named];
    });
    expect(reads.length).to.be.greaterThan(40);
    for (const path of reads) {
      const answer = await service.request('GET', path, { token: 'blind' });
      expect(answer.text, path).not.to.contain(SECRET);
    }
  });
});

/** A call of a tool of MCP. */
function tool(name: string, given: object): Readonly<Record<string, unknown>> {
  const params = { name, arguments: given };
  return { [`POST /mcp ${name}`]: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } };
}
