import { expect } from 'chai';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { configOf } from '../support/deployment-files.ts';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { MetricsPage } from '../support/metrics-page.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { testStore } from '../support/redis/test-store.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { TraceCollector } from '../support/trace-collector.ts';
import { isSlowLane } from '../support/lane.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' };

type Environment = Readonly<Record<string, string>>;

const STORES: Readonly<Record<string, () => Promise<Environment>>> = {
  memory: () => Promise.resolve({ STORE: 'memory' }),
  PostgreSQL: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
  },
  Redis: async () => ({
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `traces-${process.pid}`,
    WORKER_METADATA_KEY: `traces:${process.pid}:workers`,
  }),
};

interface AttemptOnRecord {
  readonly traceId: string | null;
}

for (const [name, store] of Object.entries(STORES)) {
  // Where a trace is kept between an add and its attempts differs from store to store, and nothing else.
  const isWhole = isSlowLane || name === 'memory';

  describe(`traces with ${name}`, () => {
    let service: Service;
    let endpoint: EndpointServer;
    let collector: TraceCollector;

    beforeEach(async () => {
      [endpoint, collector] = await Promise.all([EndpointServer.start(), TraceCollector.start()]);
    });

    afterEach(async () => {
      await service.stop();
      await Promise.all([endpoint.close(), collector.close()]);
    });

    async function start(environment: Environment = {}): Promise<void> {
      const all = {
        PORT: '0',
        AUTH_TOKENS: 'secret',
        DRAIN_TIME: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...(await store()),
        ...environment,
      };
      service = await createService(configOf(all), silentLogger);
      await service.start();
    }

    function call(
      method: string,
      path: string,
      { body, headers }: { body?: unknown; headers?: Environment } = {},
    ): Promise<Response> {
      return fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers: { authorization: 'Bearer secret', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    }

    async function register(queue: string, more: object = {}): Promise<void> {
      const worker = { queue, endpoint: { url: endpoint.url, method: 'post', ...more } };
      await call('POST', '/workers', { body: worker });
    }

    const spans = (count: number, ...named: string[]) =>
      eventually(`${count} spans ${named.join(', ')}`, () => {
        const found = collector.spans.filter((span) => named.includes(span.name));
        return Promise.resolve(found.length >= count && found);
      });

    async function attempts(queue: string, id: string): Promise<readonly AttemptOnRecord[]> {
      const answered = await call('GET', `/queues/${queue}/jobs/${id}/attempts`);
      return ((await answered.json()) as { attempts: readonly AttemptOnRecord[] }).attempts;
    }

    const uniqueName = (): string => `traced-${Math.random().toString(36).slice(2)}`;

    // holds: traces.linked, traces.call
    it('go from the client to the call: a producer, a linked trace of the attempt, a call', async () => {
      await start();
      const queue = uniqueName();
      endpoint.respond = answer(200);
      await register(queue);
      const added = await call('POST', `/queues/${queue}/jobs`, {
        body: [{ name: 'a', data: 1 }],
        headers: TRACEPARENT,
      });
      const [{ id } = { id: '' }] = (await added.json()) as { id: string }[];
      await spans(3, `send ${queue}`, `process ${queue}`, `call ${queue}`);
      const [send] = collector.named(`send ${queue}`);
      const [process] = collector.named(`process ${queue}`);
      const [made] = collector.named(`call ${queue}`);
      expect(send).to.include({ kind: 'producer', traceId: TRACE, parent: PARENT });
      expect(process).to.include({ kind: 'consumer', parent: undefined, hasFailed: false });
      expect(process!.traceId).not.to.equal(TRACE);
      expect(process!.links).to.deep.equal([{ traceId: TRACE, spanId: send!.spanId }]);
      expect(process!.attributes).to.include({
        'messaging.destination.name': queue,
        'messaging.message.id': id,
        'jobgate.attempt.outcome': 'completed',
      });
      expect(made).to.include({
        kind: 'client',
        traceId: process!.traceId,
        parent: process!.spanId,
      });
      const { headers } = endpoint.calls[0]!;
      expect(headers['traceparent']).to.equal(`00-${made!.traceId}-${made!.spanId}-01`);
      expect(await attempts(queue, id)).to.have.nested.property('[0].traceId', process!.traceId);
    });

    if (isWhole) {
      // holds: traces.parent
      it('make attempts children of the add on request', async () => {
        await start({ OTEL_JOBGATE_TRACES: 'parent' });
        const queue = uniqueName();
        endpoint.respond = answer(500);
        await register(queue);
        await call('POST', `/queues/${queue}/jobs`, {
          body: [{ name: 'a', data: 1, opts: { attempts: 2 } }],
          headers: TRACEPARENT,
        });
        const found = await spans(5, `send ${queue}`, `process ${queue}`, `call ${queue}`);
        const [send] = collector.named(`send ${queue}`);
        expect(new Set(found.map(({ traceId }) => traceId))).to.deep.equal(new Set([TRACE]));
        for (const process of collector.named(`process ${queue}`)) {
          expect(process).to.include({ parent: send!.spanId, hasFailed: true });
          expect(process.links).to.deep.equal([]);
        }
        for (const made of collector.named(`call ${queue}`)) {
          expect(made.attributes).to.include({ 'http.response.status_code': 500 });
        }
      });
    }

    // holds: traces.pulled
    it('have the attempts of clients that pull, from the claim to the report', async () => {
      await start();
      const queue = uniqueName();
      await call('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
      const claimed = await call('POST', `/queues/${queue}/jobs/claim`, { body: {} });
      const [taken] = (await claimed.json()) as { job: { id: string }; token: string }[];
      const { job, token } = taken!;
      const reported = await call('POST', `/queues/${queue}/jobs/${job.id}/complete`, {
        body: {},
        headers: { authorization: `Bearer ${token}` },
      });
      expect(reported.status).to.equal(200);
      await spans(2, `send ${queue}`, `process ${queue}`);
      const [send] = collector.named(`send ${queue}`);
      const [process] = collector.named(`process ${queue}`);
      expect(send!.parent).to.equal(undefined);
      expect(process!.links).to.deep.equal([{ traceId: send!.traceId, spanId: send!.spanId }]);
      expect(await attempts(queue, job.id)).to.have.nested.property(
        '[0].traceId',
        process!.traceId,
      );
    });

    if (isWhole) {
      // holds: traces.call
      it('have a trace for each job of a call with several', async () => {
        await start();
        const queue = uniqueName();
        endpoint.respond = answer(200);
        const body = ['1', '2'].map((jobId) => ({
          name: 'a',
          data: 1,
          opts: { jobId: `j${jobId}` },
        }));
        await call('POST', `/queues/${queue}/jobs`, { body });
        await call('POST', '/workers', {
          body: {
            queue,
            endpoint: { url: endpoint.url, method: 'post' },
            opts: { batch: { size: 2 } },
          },
        });
        await spans(2, `process ${queue}`);
        const recorded = await Promise.all(['j1', 'j2'].map((id) => attempts(queue, id)));
        const ids = recorded.map(([first]) => first?.traceId ?? '');
        const made = collector.named(`process ${queue}`).map(({ traceId }) => traceId);
        expect(ids).to.have.members(made);
        expect(new Set(ids).size).to.equal(2);
      });

      // holds: traces.call
      it('have no error for an attempt that suspends its job', async () => {
        await start();
        const queue = uniqueName();
        endpoint.respond = answer(206, { sleep: { rest: 60_000 } });
        await register(queue, { steps: true });
        await call('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
        const [process] = await spans(1, `process ${queue}`);
        expect(process).to.include({ hasFailed: false });
        expect(process!.attributes).to.include({ 'jobgate.attempt.outcome': 'suspended' });
      });

      // holds: traces.accepted
      it('have one span for an attempt that its endpoint accepts and completes later', async () => {
        await start();
        const queue = uniqueName();
        endpoint.respond = answer(202);
        await register(queue, { accepted: 'defer' });
        await call('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
        const [made] = await spans(1, `call ${queue}`);
        const { job, token } = endpoint.calls[0]!.body as { job: { id: string }; token: string };
        await eventually('the report is taken', async () => {
          const reported = await call('POST', `/queues/${queue}/jobs/${job.id}/complete`, {
            body: {},
            headers: { authorization: `Bearer ${token}` },
          });
          return reported.status === 200;
        });
        const [process] = await spans(1, `process ${queue}`);
        expect(made).to.include({ traceId: process!.traceId, parent: process!.spanId });
      });
    }

    for (const mode of ['link', 'parent']) {
      // holds: traces.parent, attempts.outcomes
      it(`are found by an attempt that a cancellation ends, by "${mode}"`, async () => {
        await start({ OTEL_JOBGATE_TRACES: mode });
        const queue = uniqueName();
        endpoint.respond = () => undefined;
        await register(queue);
        const body = [{ name: 'a', data: 1, opts: { jobId: 'slow' } }];
        await call('POST', `/queues/${queue}/jobs`, { body, headers: TRACEPARENT });
        const { headers } = await endpoint.nextCall();
        await call('POST', `/queues/${queue}/jobs/slow/cancel`, { body: {} });
        const [made] = await spans(1, `process ${queue}`);
        expect(made!.attributes).to.include({ 'jobgate.attempt.outcome': 'cancelled' });
        const { traceId } = made!;
        expect(String(headers['traceparent']).split('-')[1]).to.equal(traceId);
        if (mode === 'parent') expect(traceId).to.equal(TRACE);
        const [recorded] = await attempts(queue, 'slow');
        expect(recorded).to.include({ outcome: 'cancelled', traceId });
        expect(recorded).not.to.have.property('taken');
      });
    }

    if (isWhole) {
      // holds: traces.bounded
      it('hold no more than 1000 spans, whatever one request adds', async function () {
        this.timeout(60_000);
        for (const OTEL_JOBGATE_TRACES of ['link', 'parent']) {
          await start({ OTEL_JOBGATE_TRACES, MAX_JOBS_PER_ADD: '100000' });
          const queue = uniqueName();
          const jobs = Array.from({ length: 1500 }, () => ({ name: 'a', data: 1 }));
          endpoint.respond = answer(200);
          const headers = TRACEPARENT;
          await call('POST', `/queues/${queue}/jobs`, { body: jobs, headers });
          const worker = { queue, endpoint: { url: endpoint.url, method: 'post' } };
          await call('POST', '/workers', { body: { ...worker, opts: { concurrency: 20 } } });
          await spans(1500, `process ${queue}`);
          const sizes = new Map<string, number>();
          for (const { traceId } of collector.spans) {
            sizes.set(traceId, (sizes.get(traceId) ?? 0) + 1);
          }
          expect(Math.max(...sizes.values())).to.be.at.most(1000);
          expect(collector.named(`send ${queue}`)).to.have.lengthOf(1);
          await service.stop();
          collector.spans.length = 0;
        }
      });
    }

    // holds: traces.flows
    it('have one producer for a flow, to which all of its attempts are linked', async () => {
      await start();
      const queue = uniqueName();
      endpoint.respond = answer(200);
      await register(queue);
      const child = { queue, name: 'leaf', data: 1 };
      await call('POST', '/flows', { body: { queue, name: 'root', data: 1, children: [child] } });
      await spans(3, `send ${queue}`, `process ${queue}`);
      const [send, ...others] = collector.named(`send ${queue}`);
      expect(others).to.deep.equal([]);
      for (const { links } of collector.named(`process ${queue}`)) {
        expect(links.map(({ spanId }) => spanId)).to.deep.equal([send!.spanId]);
      }
    });

    if (isWhole) {
      // holds: traces.dropped
      it('are dropped, and counted, while the collector is away', async () => {
        await start();
        collector.isBroken = true;
        const queue = uniqueName();
        const page = async () => new MetricsPage(await (await call('GET', '/metrics')).text());
        const count = async (outcome: string) =>
          (await page()).value(`jobgate_trace_spans_total{outcome="${outcome}"}`);
        for (let add = 0; add < 20; add += 1) {
          await call('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
        }
        await eventually('all are dropped', async () => (await count('dropped')) === 20);
        expect(await count('exported')).to.equal(0);
        collector.isBroken = false;
        await call('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
        await eventually('one is exported', async () => (await count('exported')) === 1);
      });
    }

    // holds: traces.off
    it('leave nothing in jobs and calls when they are off', async () => {
      await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
      const queue = uniqueName();
      endpoint.respond = answer(200);
      await register(queue);
      const added = await call('POST', `/queues/${queue}/jobs`, {
        body: [{ name: 'a', data: 1 }],
        headers: TRACEPARENT,
      });
      const [job] = (await added.json()) as { id: string; opts: object }[];
      expect(job!.opts).not.to.have.property('tm');
      const [only] = await eventually('the attempt is on record', async () => {
        const all = await attempts(queue, job!.id);
        return all.length === 1 && all;
      });
      expect(only!.traceId).to.equal(null);
      expect(endpoint.calls[0]!.headers).not.to.have.property('traceparent');
      expect(await (await call('GET', '/metrics')).text()).not.to.include('jobgate_trace');
    });
  });
}
