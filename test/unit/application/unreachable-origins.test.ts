import { expect } from 'chai';
import { UnreachableOrigins } from '../../../src/application/destinations/unreachable-origins.ts';
import {
  EndpointCallError,
  type WebhookPort,
} from '../../../src/application/ports/webhook-port.ts';
import { Cancellation } from '../../../src/domain/calls/cancellation.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const URL_OF_ONE = 'https://one.example.com/in?key=1';
const REFUSED = new EndpointCallError('ECONNREFUSED https://one.example.com', 'refused');

describe('UnreachableOrigins', () => {
  let clock: FakeClock;
  let origins: UnreachableOrigins;
  let respond: () => ReturnType<WebhookPort['call']>;

  beforeEach(() => {
    clock = new FakeClock();
    origins = new UnreachableOrigins(clock);
    respond = () => Promise.reject(REFUSED);
  });

  async function call(times: number, url = URL_OF_ONE): Promise<void> {
    const client = origins.noting({ call: () => respond() });
    for (let made = 0; made < times; made += 1) {
      const endpoint = { url, method: 'post' } as const;
      await client
        .call({ endpoint, job: {} as Job, token: 't' }, new Cancellation())
        .catch(() => undefined);
    }
  }

  // holds: destinations.put-off
  it('has an origin for 1 s after the tenth connection in a row that failed', async () => {
    await call(9);
    expect(origins.includes(URL_OF_ONE)).to.equal(false);
    await call(1);
    expect(origins.includes('https://one.example.com/other')).to.equal(true);
    expect(origins.includes('http://one.example.com/in')).to.equal(false);
    await clock.advance(999);
    expect(origins.includes(URL_OF_ONE)).to.equal(true);
    await clock.advance(1);
    expect(origins.includes(URL_OF_ONE)).to.equal(false);
    await call(1);
    expect(origins.includes(URL_OF_ONE), 'the next one fails, too').to.equal(true);
  });

  // holds: destinations.put-off
  it('forgets an origin with its first answer, whatever that is', async () => {
    await call(9);
    respond = () => Promise.resolve({ status: 503, statusText: '', headers: {}, body: '' });
    await call(1);
    respond = () => Promise.reject(REFUSED);
    await call(9);
    expect(origins.includes(URL_OF_ONE)).to.equal(false);
  });

  // holds: destinations.put-off
  it('counts neither timeouts nor what the guard of addresses refuses', async () => {
    for (const error of [
      new EndpointCallError('Endpoint call timed out after 1 ms', 'timeout'),
      new EndpointCallError('Address not allowed', 'refused', true),
    ]) {
      respond = () => Promise.reject(error);
      await call(20);
      expect(origins.includes(URL_OF_ONE), error.message).to.equal(false);
    }
  });

  // holds: destinations.put-off-bound
  it('forgets the origin that failed earliest beyond 1,000 of them', async () => {
    await call(10);
    for (let each = 1; each < 1000; each += 1) await call(1, `https://${each}.example.com/`);
    expect(origins.includes(URL_OF_ONE)).to.equal(true);
    await call(1, 'https://more.example.com/');
    expect(origins.includes(URL_OF_ONE)).to.equal(false);
  });
});
