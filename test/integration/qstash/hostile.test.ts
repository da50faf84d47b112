import { expect } from 'chai';
import fc from 'fast-check';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { EVERY_STORE } from '../../support/every-store.ts';
import { rounds } from '../../support/lane.ts';
import { QstashService } from './support/qstash-service.ts';
import { rawRequest } from './support/raw-request.ts';

/** Requests to each store. */
const RUNS = rounds(3000, 200);

/** Neither a URL with these, nor a header, reaches anything but the destination that it names. */
const PIECES = [
  '..',
  '%2e%2e',
  '%2f',
  '//',
  '@',
  '\\',
  '?',
  '#',
  '%00',
  ':',
  ';',
  '%',
  '/v2/',
  'é',
];

const piece = fc.oneof(
  fc.constantFrom(...PIECES, 'http://127.0.0.1:1/', 'https://x.test', 'api/llm', 'qstash', 'mail'),
  fc.string({ maxLength: 6 }),
);
const path = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

const ROUTES = [
  'publish',
  'enqueue/mail',
  'batch',
  'messages',
  'queues',
  'queues/mail',
  'schedules',
  'dlq',
  'flowControl',
  'events',
  'logs',
  'topics',
  'keys',
  'workflows',
];

const value = fc.oneof(
  fc.constantFrom('1', '0', '-1', '10s', '1d', 'true', 'x', 'retried * 1000', '1/0', '((((('),
  fc.constantFrom('http://127.0.0.1:1/', 'parallelism=1', 'rate=1, period=x', 'body,header[a]'),
  fc.string({ maxLength: 12 }),
);
const NAMES = [
  'method',
  'delay',
  'not-before',
  'deduplication-id',
  'content-based-deduplication',
  'retries',
  'retry-delay',
  'timeout',
  'callback',
  'failure-callback',
  'callback-retries',
  'flow-control-key',
  'flow-control-value',
  'label',
  'redact-fields',
  'cron',
  'schedule-id',
  'forward-host',
  'forward-x',
  'queue-name',
];
const headers = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 4 })
  .map((pairs) =>
    Object.fromEntries(pairs.map(([name, text]) => [`upstash-${name}`, printable(text)])),
  );

/** What node:http sends in a header or a target. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '~').trim();
}

for (const [store, environment] of Object.entries(EVERY_STORE)) {
  describe(`hostile requests over QStash, with STORE=${store}`, () => {
    let service: QstashService;

    before(async () => {
      service = await QstashService.start(await environment());
    });
    after(() => service.stop());

    // holds: qstash.hostile
    it('are mistakes of the client, and never of the service', async () => {
      const property = fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        fc.constantFrom(...ROUTES),
        path,
        headers,
        fc.oneof(fc.json({ maxDepth: 3 }), fc.string()),
        async (method, route, rest, given, body) => {
          const target = `/v2/${route}/${rest}`.replace(/[^\x21-\x7e]/g, '%C3%A9');
          const { status, text } = await rawRequest(service.url, method, target, given, body);
          const isServed = status < 500 || status === 501;
          expect(isServed, `${method} ${target} ${status} ${text}`).to.equal(true);
          if (status >= 400) expect(JSON.parse(text)).to.have.all.keys('error');
        },
      );
      await fc.assert(property, { numRuns: RUNS });
    }).timeout(300_000);

    it('hide no more than 10 MB of bodies, once for each endpoint of a URL group', async () => {
      const endpoints = Array.from({ length: 11 }, (_, at) => ({
        url: `http://127.0.0.1:9/${at}`,
      }));
      const group = JSON.stringify({ endpoints });
      const made = await rawRequest(service.url, 'POST', '/v2/topics/hidden/endpoints', {}, group);
      expect(made).to.include({ status: 200 });
      const body = 'x'.repeat(1_000_000);
      const publish = (destination: string, fields: string) => {
        const given = { 'upstash-redact-fields': fields };
        return rawRequest(service.url, 'POST', `/v2/publish/${destination}`, given, body);
      };
      const { status, text } = await publish('hidden', 'body');
      expect(status).to.equal(413);
      expect(JSON.parse(text)).to.deep.equal({
        error:
          'Bodies that Upstash-Redact-Fields hides must have at most 10 MB together, once for each endpoint of a URL group',
      });
      expect(await publish('http://127.0.0.1:9/', 'body')).to.include({ status: 201 });
      expect(await publish('hidden', 'headers')).to.include({ status: 201 });
    });

    // holds: qstash.destination
    it('reach no other host, route or queue than their destination says', async () => {
      const server = await EndpointServer.start();
      const { host } = new URL(server.url);
      const publish = (destination: string) =>
        rawRequest(service.url, 'POST', `/v2/publish/${destination}`, { 'upstash-retries': '0' });
      try {
        const paths = {
          '/a/../b': '/b',
          '/%2e%2e/%2e%2e/v2/keys': '/v2/keys',
          '/a//b?c=%2F&d=http://x.test/../y': '/a//b?c=%2F&d=http://x.test/../y',
          '/a?/v2/queues/x#f': '/a?/v2/queues/x',
          '/@evil.test/': '/@evil.test/',
          '\\@evil.test/': '/@evil.test/',
        };
        for (const [written, reached] of Object.entries(paths)) {
          expect(await publish(`http://${host}${written}`), written).to.include({ status: 201 });
          expect((await server.nextCall()).path, written).to.equal(reached);
        }
        const refused = [
          `http:/${host}`,
          `http:${host}`,
          `http://user@${host}`,
          `http://user:secret@${host}/`,
          `ftp://${host}/`,
          `//${host}/`,
          `http%3A%2F%2F${host}/`,
          `../queues/mail`,
          'http://',
        ];
        for (const destination of refused) {
          expect((await publish(destination)).status, destination).to.be.oneOf([400, 404]);
        }
        const other = `/v2/enqueue/a%2Fb/http://${host}/`;
        expect(await rawRequest(service.url, 'POST', other)).to.include({ status: 400 });
        expect(server.calls).to.have.length(Object.keys(paths).length);
      } finally {
        await server.close();
      }
    });
  });
}
