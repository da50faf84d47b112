import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Makes a process report when it listens to SIGTERM, which its very first lines do. */
const TELLTALE = `process.on('newListener', (name) => {
  if (name === 'SIGTERM') process.nextTick(() => process.stdout.write('Listens\\n'));
});`;

for (const processes of ['1', '2']) {
  describe(`SIGTERM, WEB_CONCURRENCY=${processes}`, () => {
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
    it('makes it unready and stops it from taking jobs at once, while requests are served to the end', async () => {
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

    for (const delay of [0, 30, 100, 300, 600]) {
      it(`ends it ${delay} ms after its first line with code 0 and without a stack trace`, async () => {
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
