import { expect } from 'chai';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';
import { newJob, type Job } from '../../../src/domain/jobs/job.ts';
import { jobJson } from '../../../src/domain/jobs/job-json.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { loggableReason } from '../../../src/domain/jobs/loggable-reason.ts';

const TOKEN = 'WvQ3k0pYc8mZ1dR5tN7xB2jH4gL6sF9a';

function request(data: Json, endpoint: Partial<Endpoint> = {}) {
  const { name, opts } = newJob({ name: 'charge', data }, '');
  const job: Job = {
    queue: queueNamed('charges'),
    state: 'active',
    id: '17',
    name,
    data,
    opts,
    progress: 0,
    returnvalue: null,
    stacktrace: null,
    attemptsStarted: 1,
    attemptsMade: 0,
    delay: 0,
    timestamp: 1_700_000_000_000,
  };
  return {
    job,
    token: TOKEN,
    endpoint: { url: 'http://a/', method: 'post', ...endpoint } as const,
  };
}

const body = ({ job, token }: ReturnType<typeof request>): string =>
  JSON.stringify({ job: jobJson(job, 'bull'), token });

describe('a reason in the log', () => {
  const plain = request({ n: 1 });
  const card = request({ card: 4_111_111_111_111_111, holder: 'Zoë "Z" Müller\n', pin: '0815' });
  const secretive = request(null, {
    url: 'http://a/hook?key=s3cr3t-k3y',
    headers: { authorization: 'Basic b3BlbnNlc2FtZTpub3c=', 'content-type': 'application/json' },
  });

  for (const [what, reason, of] of [
    ['the whole request', body(plain), plain],
    ['the whole request in other words', `Got: ${body(plain)} (400)`, plain],
    ['the start of the request', body(plain).slice(0, 60), plain],
    ['the end of the request', body(plain).slice(-60), plain],
    ['the request, laid out', JSON.stringify(JSON.parse(body(plain)), null, 2), plain],
    ['the request as a text in JSON', JSON.stringify(body(card)), card],
    ['the request as HTML', body(card).replaceAll('"', '&quot;'), card],
    ['the token', `invalid token ${TOKEN}`, plain],
    ['a part of the token', `token ${TOKEN.slice(0, 10)}... is unknown`, plain],
    ['a number of the data', 'card 4111111111111111 was declined', card],
    ['a number of the data, grouped', 'card 4111 1111 1111 1111 was declined', card],
    ['the last digits of a number', 'card ending in 11111111', card],
    ['a text of the data', 'no account of ZOË "Z" MÜLLER', card],
    ['a short text of the data', 'wrong pin 0815', card],
    ['a key of a map in the data', 'bob@example.com bounced', request({ 'bob@example.com': 1 })],
    ['a text deep in the data', 'hunter22 is weak', request({ a: [{ b: ['hunter22'] }] })],
    ['a header', 'refused: Basic b3BlbnNlc2FtZTpub3c=', secretive],
    [
      'a long name of the job',
      'no handler for mail-to-bob',
      { ...plain, job: { ...plain.job, name: 'mail-to-bob' } },
    ],
    ['the path and query', 'Cannot POST /hook?key=s3cr3t-k3y', secretive],
  ] as const) {
    // holds: security.echoed-request
    it(`gives way to the status when it repeats ${what}`, () => {
      expect(loggableReason(reason, 422, of)).to.equal('HTTP 422');
    });
  }

  for (const [reason, of] of [
    ['HTTP 503 Service Unavailable', plain],
    ['connect ETIMEDOUT 10.0.0.7:5432', plain],
    ['customerId is required', request({ customerId: 'c1' })],
    ['unknown job id 17', plain],
    ['Application error', secretive],
    ['the value null is not allowed', request([null, true])],
  ] as const) {
    it(`stays as it is otherwise: ${reason}`, () => {
      expect(loggableReason(reason, 500, of)).to.equal(reason);
    });
  }

  it('is cut at 200 characters', () => {
    expect(loggableReason('x'.repeat(201), 500, plain)).to.equal(`${'x'.repeat(200)}…`);
    expect(loggableReason('x'.repeat(200), 500, plain)).to.equal('x'.repeat(200));
  });

  it('stays as it is when the service wrote it, with any data', () => {
    const reason = 'ECONNREFUSED http://localhost:1';
    expect(loggableReason(reason, undefined, request({ host: 'localhost' }))).to.equal(reason);
  });

  it('gives way to the status when there is too much to search', () => {
    const large = request(Array.from({ length: 100 }, () => 'y'.repeat(1000)));
    expect(loggableReason('out of stock', 500, large)).to.equal('HTTP 500');
  });
});
