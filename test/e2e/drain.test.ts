import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { RawConnection } from '../integration/http/support/raw-connection.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { isSlowLane } from '../support/lane.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Makes a process report when it listens to SIGTERM, which its very first lines do. */
const TELLTALE = `process.on('newListener', (name) => {
  if (name === 'SIGTERM') process.nextTick(() => process.stdout.write('Listens\\n'));
});`;

/** Callers would be waited for until long after the time limit of a test. */
const PATIENT = { DRAIN_TIME: '600000', SHUTDOWN_TIMEOUT: '900000' };

/** How long (ms) after its first line a service is told to end. The everyday lane shares these moments out. */
function delaysOf(processes: string): readonly number[] {
  if (isSlowLane) return [0, 30, 100, 300, 600];
  return processes === '1' ? [0, 100, 600] : [30, 300];
}

const GET_LIVE = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

for (const processes of ['1', '2']) {
  describe(`A stop signal, WEB_CONCURRENCY=${processes}`, () => {
    const queue = `drained-${process.pid}-${processes}`;
    let environment: Record<string, string>;
    let service: ServiceProcess | undefined;
    let agent: Agent;

    beforeEach(async () => {
      agent = new Agent({ connections: 4 });
      environment = {
        STORE_URI: (await testStore()).uri,
        WORKER_METADATA_KEY: `drained:${process.pid}:${processes}:workers`,
        WEB_CONCURRENCY: processes,
        DRAIN_TIME: '1500',
      };
    });
    afterEach(async () => {
      await service?.kill();
      await agent.close();
    });

    async function add(origin: string): Promise<string | string[] | undefined> {
      const { statusCode, headers, body } = await request(`${origin}/queues/${queue}/jobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ServiceProcess.token}` },
        body: '[{"name":"job","data":1}]',
        dispatcher: agent,
      });
      await body.dump();
      expect(statusCode).to.equal(200);
      return headers['connection'];
    }

    // holds: shutdown.drain, shutdown.no-job
    it('makes it unready and stops it from taking jobs on SIGTERM, while requests are served to the end', async () => {
      service = await ServiceProcess.start(environment);
      const endpoint = await EndpointServer.start();
      const { url: origin } = service;
      const worker = { queue, endpoint: { url: endpoint.url, method: 'post' } };
      expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
      await eventually('a job is processed', async () => {
        await add(origin);
        return endpoint.calls.length > 0;
      });
      service.signal('SIGTERM');
      await eventually('all processes are told', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => add(origin)));
        return answers.every((connection) => connection === 'close');
      });
      expect((await fetch(`${origin}/health/ready`)).status).to.equal(503);
      await eventually('running calls are done', async () => {
        const { counts } = (await service!.call('GET', `/queues/${queue}/jobs`)).body as {
          counts: Record<string, number>;
        };
        return counts['active'] === 0;
      });
      const calls = endpoint.calls.length;
      // While the service still accepts clients that do not know that it shuts down.
      const until = performance.now() + 200;
      while (performance.now() < until) {
        expect(await add(origin)).to.equal('close');
        await sleep(5);
      }
      expect(endpoint.calls).to.have.lengthOf(calls);
      expect(await service.exited).to.deep.equal({ code: 0, signal: null });
      await service.call('GET', '/health/live').then(
        () => expect.fail('The port is still open'),
        () => undefined,
      );
      await endpoint.close();
    });

    // holds: shutdown.interrupt
    it('does not wait for callers on SIGINT while nobody is connected', async () => {
      service = await ServiceProcess.start({ ...environment, ...PATIENT });
      service.signal('SIGINT');
      expect(await service.exited).to.deep.equal({ code: 0, signal: null });
      expect(service.errors).to.equal('');
    });

    // holds: shutdown.interrupt
    it('serves a caller who is connected on SIGINT, until the connection ends', async () => {
      service = await ServiceProcess.start({ ...environment, ...PATIENT });
      const caller = new RawConnection(Number(new URL(service.url).port));
      caller.send(GET_LIVE);
      await caller.until('HTTP/1.1 200');
      service.signal('SIGINT');
      const informed = processes === '1' ? 1 : 1 + Number(processes);
      await eventually('all processes know', () =>
        Promise.resolve(
          service!.logs.filter(({ message }) => message === 'Stopping').length === informed,
        ),
      );
      caller.send(GET_LIVE);
      expect(await caller.untilClosed()).to.match(/HTTP\/1.1 200[^]*Connection: close/i);
      expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    });

    for (const delay of delaysOf(processes)) {
      it(`ends it ${delay} ms after its first line on SIGTERM with code 0 and without a stack trace`, async () => {
        const preload = `--import=data:text/javascript,${encodeURIComponent(TELLTALE)}`;
        const starting = ServiceProcess.begin({
          ...environment,
          DRAIN_TIME: '0',
          NODE_OPTIONS: preload,
        });
        await starting.logged('Listens');
        await sleep(delay);
        starting.signal('SIGTERM');
        expect(await starting.exited).to.deep.equal({ code: 0, signal: null });
        expect(starting.errors).to.equal('');
        const lines = starting.logs.filter(({ message }) => message !== 'Listens');
        expect(lines.filter(({ level }) => level !== 'info' && level !== 'warn')).to.deep.equal([]);
      });
    }
  });
}
