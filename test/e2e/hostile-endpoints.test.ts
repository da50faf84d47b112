import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { HostileEndpoint, type BehaviourName } from '../support/hostile-endpoint.ts';
import { MemoryWatch } from '../support/process-memory.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ServiceContext } from './service/context.ts';

/** Timeouts of a whole call, in milliseconds: one that is meant to expire, and one that never does. */
const [TIMEOUT, NO_TIMEOUT] = [400, 15_000];

const TIMED_OUT = `Endpoint call timed out after ${TIMEOUT} ms`;
const TOO_LARGE = 'Endpoint answer exceeds 65536 bytes';

/** How many calls run at once, each over its own connection. */
const CALLS = 30;

/** Why the attempt fails, where `@` stands for the origin of the endpoint. */
const REASONS: Readonly<Record<Exclude<BehaviourName, 'fine'>, string>> = {
  'never answers': TIMED_OUT,
  'reads nothing': TIMED_OUT,
  'drips its head': TIMED_OUT,
  'drips its body': TIMED_OUT,
  'sends gigabytes': TOO_LARGE,
  'sends tiny chunks': TOO_LARGE,
  'extends its chunks': 'TOO_MANY_BYTES @',
  'sends endless headers': 'HPE_HEADER_OVERFLOW @',
  'hints for ever': 'TOO_MANY_INTERIM_ANSWERS @',
  'continues for ever': 'TOO_MANY_INTERIM_ANSWERS @',
  'sends a bomb': TOO_LARGE,
  'speaks no HTTP': 'MALFORMED_ANSWER @',
  'breaks its chunks': 'MALFORMED_ANSWER @',
  'redirects to itself': 'HTTP 302 Found: redirects are not followed',
  resets: 'ECONNRESET @',
  'hangs up': 'ECONNRESET @',
};

const HOSTILE = Object.keys(REASONS) as (keyof typeof REASONS)[];

for (const client of ['undici', 'node-fetch']) {
  describe(`the service with WEBHOOK_CLIENT=${client} and an endpoint that`, () => {
    let service: ServiceProcess;
    let endpoint: HostileEndpoint;
    const context = new ServiceContext(() => service);

    before(async () => {
      const environment = { STORE: 'memory', MAX_RESPONSE_SIZE: '64kb' };
      service = await ServiceProcess.start({ ...environment, WEBHOOK_CLIENT: client });
      endpoint = await HostileEndpoint.start();
    });
    after(async () => {
      await service.stop();
      await endpoint.close();
    });

    async function register(queue: string, concurrency: number, timeout: number): Promise<void> {
      const worker = {
        queue,
        endpoint: { url: `${endpoint.origin}/hook`, method: 'post', timeout },
        opts: { concurrency },
      };
      expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    }

    for (const name of HOSTILE) {
      // holds: security.beside-the-answer
      it(`${name}: the attempt fails with a reason, and its slot and connection are freed`, async () => {
        const queue = context.newQueue();
        await register(queue, 1, REASONS[name] === TIMED_OUT ? TIMEOUT : NO_TIMEOUT);
        const data = name === 'reads nothing' ? 'x'.repeat(5_000_000) : null;
        // The machine may be too busy for the endpoint to answer in so short a time.
        const fine = { name: 'fine', data: 1, opts: { attempts: 5 } };
        const [hostile, next] = await context.add(queue, { name, data }, fine);
        const { failedReason, processedOn, finishedOn } = await context.finished(
          queue,
          hostile!.id,
        );
        expect(failedReason).to.equal(REASONS[name].replace('@', endpoint.origin));
        expect(finishedOn! - processedOn!).to.be.below(TIMEOUT + 5000);
        expect((await context.finished(queue, next!.id)).returnvalue).to.equal('fine');
        await eventually('its connections end', () => Promise.resolve(endpoint.connections <= 1));
      });
    }

    it('does all of it at once: memory stays bounded, and the service stays up', async () => {
      const [queue, others] = [context.newQueue(), context.newQueue()];
      await register(queue, CALLS, TIMEOUT);
      await register(others, 1, NO_TIMEOUT);
      const memory = new MemoryWatch(service.pid);
      const jobs = Array.from({ length: 10 }, () => HOSTILE.map((name) => ({ name, data: 1 })));
      await context.add(queue, ...jobs.flat());
      const [ordinary] = await context.add(others, { name: 'fine', data: 1 });
      expect((await context.finished(others, ordinary!.id)).returnvalue).to.equal('fine');
      const failed = async (): Promise<boolean> => {
        const { body } = await service.call('GET', `/queues/${queue}/jobs?length=0`);
        return (body as { counts: { failed: number } }).counts.failed === jobs.flat().length;
      };
      await eventually('all attempts have failed', failed, 30_000);
      await eventually('connections end', () => Promise.resolve(endpoint.connections <= CALLS));
      expect(memory.peak - memory.before, 'megabytes more').to.be.below(150);
    }).timeout(60_000);
  });
}
