import { expect } from 'chai';
import fc from 'fast-check';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { HttpService, TOKEN } from './support/http-service.ts';
import { anyCharacter } from '../../support/any-character.ts';

const RUNS = 300;

interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const ENDPOINTS = [
  ['POST', '/queues/:/jobs'],
  ['POST', '/queues/:'],
  ['GET', '/queues/:/jobs'],
  ['GET', '/queues/:/jobs/:'],
  ['POST', '/queues/:/jobs/:/progress'],
  ['POST', '/queues/:/jobs/:/logs'],
  ['GET', '/queues/:/jobs/:/logs'],
  ['DELETE', '/queues/:/jobs/:'],
  ['PATCH', '/queues/:/jobs/:'],
  ['POST', '/queues/:/jobs/:/promote'],
  ['POST', '/queues/:/jobs/:/retry'],
  ['GET', '/queues/:/jobs/:/steps'],
  ['PUT', '/queues/:/jobs/1/steps/:'],
  ['DELETE', '/queues/:/jobs/1/steps/:'],
  ['DELETE', '/queues/:/jobs/:/steps'],
  ['POST', '/queues/:/jobs/:/suspend'],
  ['POST', '/queues/:/signals/:'],
  ['GET', '/queues/:/signals'],
  ['DELETE', '/queues/:/signals/:'],
  ['GET', '/queues/:'],
  ['POST', '/queues/:/pause'],
  ['POST', '/queues/:/resume'],
  ['POST', '/queues/:/drain'],
  ['PUT', '/queues/:/policy'],
  ['GET', '/queues/:/policy'],
  ['DELETE', '/queues/:/policy'],
  ['POST', '/workers'],
  ['GET', '/workers'],
  ['GET', '/workers/:'],
  ['DELETE', '/workers/:'],
  ['GET', '/health/live'],
  ['GET', '/health/ready'],
] as const;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Characters that a client library lets through in a target, with any meaning there. */
const rawTarget = fc.stringMatching(/^[\x21-\x7e]{0,40}$/);

const segment = fc.oneof(
  fc.constantFrom('mail', '1', 'meta', '__proto__', 'constructor', '..', '%00', '%zz', '', 'a:b'),
  fc.string({ unit: anyCharacter }).map((name) => encodeURIComponent(name.toWellFormed())),
  rawTarget,
);

const knownPath = fc
  .tuple(fc.constantFrom(...ENDPOINTS), segment, segment)
  .map(([[method, pattern], first, second]) => {
    const path = pattern.replace(':', () => first).replace(':', () => second);
    return { method, path };
  });

const anyPath = fc
  .tuple(fc.constantFrom(...METHODS), rawTarget)
  .map(([method, target]) => ({ method, path: `/${target}` }));

const queryPart = fc.tuple(
  fc.constantFrom('statuses', 'start', 'length', 'keep', '__proto__', 'x', ''),
  fc.oneof(fc.nat().map(String), fc.constantFrom('all', 'waiting,failed', ''), rawTarget),
);

const query = fc
  .array(queryPart, { maxLength: 3 })
  .map((parts) => parts.map(([name, value]) => `${name}=${value}`).join('&'))
  .map((search) => (search === '' ? '' : `?${search}`));

const fieldName = fc.constantFrom(
  ...['name', 'data', 'opts', 'attempts', 'backoff', 'type', 'delay', 'priority', 'lifo', 'jobId'],
  ...['queue', 'endpoint', 'url', 'method', 'headers', 'timeout', 'limiter', 'max', '__proto__'],
  ...['steps', 'sleep', 'waitFor', 'signal', 'add', 'maxCalls'],
);

/** JSON that resembles jobs and workers, so that it gets past the first check. */
const { likely } = fc.letrec((tie) => ({
  likely: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(fc.constantFrom(null, true, 'post', 'http://x.example', 1e308, -0), fc.integer()),
    fc.array(tie('likely'), { maxLength: 4 }),
    fc.dictionary(fieldName, tie('likely'), { maxKeys: 5 }),
  ),
}));

const job = fc.record(
  { name: fc.string(), data: fc.jsonValue(), opts: likely },
  { requiredKeys: ['name', 'data'] },
);

const body = fc.oneof(
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => Buffer.from(json)),
  likely.map((value) => Buffer.from(JSON.stringify(value))),
  fc.array(job, { maxLength: 3 }).map((jobs) => Buffer.from(JSON.stringify(jobs))),
  fc.string({ unit: anyCharacter }).map((line) => Buffer.from(line)),
);

const headerValue = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,30}$/);

const headers = fc.record(
  {
    Authorization: fc.oneof(
      { weight: 8, arbitrary: fc.constant(`Bearer ${TOKEN}`) },
      { weight: 1, arbitrary: headerValue },
    ),
    Accept: fc.oneof(fc.constant('application/problem+json'), headerValue),
    'Content-Type': headerValue,
    'Content-Encoding': fc.constantFrom('identity', 'gzip', ''),
    'X-Request-Id': headerValue,
  },
  { requiredKeys: ['Authorization'] },
);

const requests: fc.Arbitrary<RandomRequest> = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: knownPath }, anyPath), query, headers, body)
  .map(([{ method, path }, search, sent, bytes]) => ({
    method,
    path: path + search,
    headers: sent,
    body: bytes,
  }));

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send(port: number, { method, path, headers: sent, body: bytes }: RandomRequest) {
  return new Promise<RawAnswer>((resolve, reject) => {
    const length = bytes === undefined ? {} : { 'Content-Length': bytes.length };
    const options = { host: '127.0.0.1', port, method, path, headers: { ...sent, ...length } };
    httpRequest({ ...options, agent: false }, (response) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
      }, reject);
    })
      .on('error', reject)
      .end(bytes);
  });
}

describe('Random requests', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  // holds: answers.no-5xx
  it('are always answered, never with a 5xx, and a 400 says why', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await send(service.server.port, request);
        seen.add(answer.status);
        expect(answer.status).to.be.within(200, 499);
        expect(answer.headers['x-request-id']).to.match(/^[\w.:/+=@-]+$/);
        if (answer.status === 400 && request.method !== 'HEAD') {
          expect(answer.text.trim()).not.to.equal('');
        }
      }),
      { numRuns: RUNS },
    );
    // Otherwise the requests would be too random to reach anything.
    expect([...seen]).to.include.members([200, 400, 401, 404]);
    expect(service.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect((await service.request('GET', '/workers')).status).to.equal(200);
  }).timeout(30_000);
});
