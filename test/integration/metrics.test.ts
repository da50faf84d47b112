import { expect } from 'chai';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { MetricsPage } from '../support/metrics-page.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { testStore } from '../support/redis/test-store.ts';
import { silentLogger } from '../support/silent-logger.ts';

const STORES: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  memory: () => Promise.resolve({ STORE: 'memory' }),
  PostgreSQL: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
  },
  Redis: async () => ({
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `metrics-${process.pid}`,
    WORKER_METADATA_KEY: `metrics:${process.pid}:workers`,
  }),
};

for (const [name, store] of Object.entries(STORES)) {
  describe(`GET /metrics with ${name}`, () => {
    let service: Service;
    let endpoint: EndpointServer;

    before(async () => {
      endpoint = await EndpointServer.start();
      const environment = {
        PORT: '0',
        METRICS_PORT: '0',
        METRICS_QUEUES: '5',
        EVENTS_KEPT: '100',
        AUTH_TOKENS: 'secret',
        DRAIN_TIME: '0',
        ...(await store()),
      };
      const config = loadConfig(environment, { readFile: () => '', isTerminal: false });
      service = await createService(config, silentLogger);
      await service.start();
    });
    after(async () => {
      await service.stop();
      await endpoint.close();
    });

    function call(method: string, path: string, body?: unknown, token = 'secret') {
      return fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    }

    const alone = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${String(service.metricsPort)}${path}`, { method });

    const page = async () => new MetricsPage(await (await call('GET', '/metrics')).text());

    async function add(queue: string, jobs: readonly object[]): Promise<void> {
      const batch = jobs.map((opts) => ({ name: 'a', data: 1, opts }));
      expect((await call('POST', `/queues/${queue}/jobs`, batch)).status).to.equal(200);
    }

    // holds: settings.metrics-port
    it('takes an API token, and none on its own port, which has nothing else', async () => {
      expect((await call('GET', '/metrics', undefined, 'wrong')).status).to.equal(401);
      for (const answered of [await call('GET', '/metrics?debug=1'), await alone('/metrics?a=b')]) {
        expect(answered.status).to.equal(200);
        const type = 'text/plain; version=0.0.4; charset=utf-8';
        expect(answered.headers.get('content-type')).to.equal(type);
        expect(await answered.text()).to.include('# TYPE jobgate_store_seconds histogram\n');
      }
      const head = await alone('/metrics', 'HEAD');
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
      expect((await alone('/health/live')).status).to.equal(404);
      for (const refused of [await alone('/metrics', 'POST'), await call('POST', '/metrics')]) {
        expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      }
    });

    it('has the type and the help of every metric before anything happened', async () => {
      const { text } = await page();
      const types = [...text.matchAll(/^# TYPE (jobgate_\w+) (\w+)$/gm)].map(([, of, type]) => {
        expect(text).to.match(new RegExp(`^# HELP ${of!} \\w`, 'm'));
        return [of, type];
      });
      expect(Object.fromEntries(types)).to.deep.equal({
        jobgate_jobs: 'gauge',
        jobgate_oldest_waiting_seconds: 'gauge',
        jobgate_jobs_added_total: 'counter',
        jobgate_jobs_completed_total: 'counter',
        jobgate_jobs_failed_total: 'counter',
        jobgate_jobs_retried_total: 'counter',
        jobgate_jobs_deferred_total: 'counter',
        jobgate_jobs_stalled_total: 'counter',
        jobgate_steps_saved_total: 'counter',
        jobgate_call_seconds: 'histogram',
        jobgate_wait_seconds: 'histogram',
        jobgate_http_requests_total: 'counter',
        jobgate_store_seconds: 'histogram',
        jobgate_queue_demand: 'gauge',
        jobgate_queue_paused: 'gauge',
        jobgate_jobs_suspended: 'gauge',
        jobgate_queue_dead_letters: 'gauge',
        jobgate_worker_state: 'gauge',
        jobgate_store_connections_ratio: 'gauge',
        jobgate_store_dead_rows: 'gauge',
        jobgate_store_memory_ratio: 'gauge',
        jobgate_store_oldest_snapshot_seconds: 'gauge',
        jobgate_store_polling: 'gauge',
        jobgate_store_folding_failed: 'gauge',
        jobgate_store_behind_seconds: 'gauge',
        jobgate_event_gaps_total: 'counter',
        jobgate_hook_deliveries_total: 'counter',
      });
    });

    it('counts what is added and what becomes of it', async () => {
      const queue = 'counted';
      endpoint.respond = ({ body }, response) =>
        answer(body.job.opts.attempts > 0 ? 500 : 200)(endpoint.calls.at(-1)!, response);
      await add(queue, [{}, {}, { attempts: 3 }, { delay: 3_600_000 }]);
      await call('POST', '/workers', { queue, endpoint: { url: endpoint.url, method: 'post' } });
      const figures = await eventually('all jobs have ended', async () => {
        const now = await page();
        // A page reads the store before the counters: the last job may have ended in between.
        const hasActive = now.by('state', 'jobgate_jobs')['active'] !== 0;
        return now.value(`jobgate_jobs_failed_total{queue="${queue}"}`) === 1 && !hasActive && now;
      });
      const counts = ['added', 'completed', 'failed', 'retried', 'deferred', 'stalled'].map(
        (event) => figures.value(`jobgate_jobs_${event}_total{queue="${queue}"}`),
      );
      expect(counts).to.deep.equal([4, 2, 1, 2, 0, 0]);
      expect(figures.by('state', 'jobgate_jobs')).to.deep.equal({
        active: 0,
        waiting: 0,
        prioritized: 0,
        delayed: 1,
        completed: 2,
        failed: 1,
        'waiting-children': 0,
      });
      const calls = figures.by('outcome', 'jobgate_call_seconds_count');
      expect(calls).to.deep.equal({ completed: 2, failed: 3 });
      expect(figures.value(`jobgate_wait_seconds_count{queue="${queue}"}`)).to.equal(3);
      const added = 'route="/queues/:queue/jobs",method="POST",status="2xx"';
      expect(figures.value(`jobgate_http_requests_total{${added}}`)).to.equal(1);
      expect(figures.value('jobgate_store_seconds_count')).to.be.above(5);
    });

    it('reports for how long the oldest job has waited', async () => {
      await add('backlog', [{ priority: 3 }, {}]);
      const age = async () =>
        (await page()).value('jobgate_oldest_waiting_seconds{queue="backlog"}') ?? 0;
      const first = await age();
      expect(first).to.be.within(0, 5);
      const later = await eventually('it grows', async () => {
        const now = await age();
        return now >= first + 0.1 && now;
      });
      expect(later).to.be.below(first + 5);
      const { waiting, prioritized } = (await page()).by('state', 'jobgate_jobs');
      expect([waiting, prioritized]).to.deep.equal([1, 1]);
    });

    // holds: metrics.flows
    it('counts each job of a flow at its queue, and none of a flow that is refused', async () => {
      const child = { queue: 'leaves', name: 'leaf', data: 1 };
      const flow = {
        queue: 'roots',
        name: 'root',
        data: 1,
        opts: { jobId: 'once' },
        children: [child, { ...child, queue: 'roots', children: [child] }],
      };
      for (const status of [200, 409]) {
        expect((await call('POST', '/flows', flow)).status).to.equal(status);
        const now = await page();
        const added = (queue: string) => now.value(`jobgate_jobs_added_total{queue="${queue}"}`);
        expect([added('roots'), added('leaves')]).to.deep.equal([2, 2]);
      }
    });

    // holds: metrics.failed
    it('counts jobs that are cancelled or expire as failed', async () => {
      const queue = 'given-up';
      const later = { delay: 3_600_000 };
      await add(queue, [{ jobId: 'one', ...later }, later, later, { ...later, ttl: 1 }]);
      const child = { queue, name: 'leaf', data: 1, opts: later };
      const flow = { queue, name: 'root', data: 1, opts: { jobId: 'root' }, children: [child] };
      await call('POST', '/flows', flow);
      await call('POST', `/queues/${queue}/jobs/one/cancel`);
      await call('POST', `/queues/${queue}/jobs/root/cancel`, { children: true });
      await call('POST', `/queues/${queue}/cancel`, { all: true });
      await eventually('all of them have failed', async () => {
        const figures = await page();
        const [added, failed] = ['added', 'failed'].map((event) =>
          figures.value(`jobgate_jobs_${event}_total{queue="${queue}"}`),
        );
        return added === 6 && failed === 6;
      });
    });

    // holds: demand.metric
    it('reports the demand of queues', async () => {
      const queue = 'demanded';
      await add(queue, [{}, {}, { delay: 3_600_000 }]);
      await call('POST', `/queues/${queue}/jobs/claim`, { count: 1 });
      const of = (figures: MetricsPage) => figures.value(`jobgate_queue_demand{queue="${queue}"}`);
      expect(of(await page())).to.equal(2);
      await call('POST', `/queues/${queue}/pause`);
      await eventually('the pause is told', async () => of(await page()) === 1);
    });

    // holds: metrics.states
    it('reports paused queues and the states of workers', async () => {
      const queue = 'states';
      await add(queue, Array<object>(100).fill({ delay: 3_600_000 }));
      await call('POST', '/workers', { queue, endpoint: { url: endpoint.url, method: 'post' } });
      await call('POST', `/queues/${queue}/pause`);
      await call('POST', `/workers/${queue}/disable`, { reason: 'for the night' });
      const figures = await page();
      expect(figures.value(`jobgate_queue_paused{queue="${queue}"}`)).to.equal(1);
      const state = (name: string) =>
        figures.value(`jobgate_worker_state{queue="${queue}",state="${name}"}`);
      expect([state('disabled'), state('healthy')]).to.deep.equal([1, 0]);
      await call('DELETE', `/workers/${queue}`);
    });

    // holds: metrics.memory
    it('reports how full the memory of the store is', async () => {
      const ratio = (await page()).value('jobgate_store_memory_ratio');
      expect(ratio).to.be.within(0.00001, 1);
    });

    // holds: metrics.gaps
    it('counts the gaps that subscribers receive', async () => {
      await add('gaps', Array<object>(500).fill({}));
      const gaps = async () => (await page()).value('jobgate_event_gaps_total');
      expect(await gaps()).to.equal(0);
      const left = new AbortController();
      const stream = await fetch(`http://127.0.0.1:${service.port}/queues/gaps/events`, {
        headers: { authorization: 'Bearer secret', 'last-event-id': '1-0' },
        signal: left.signal,
      });
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('event: gap')) text += (await reader.read()).value ?? '';
      expect(await gaps()).to.equal(1);
      left.abort();
    });

    // holds: settings.metrics-queues
    it('has no more labels than the setting allows, whatever clients do', async () => {
      for (let index = 0; index < 20; index += 1) {
        await add(`many-${index}`, [{}]);
        await call(index % 2 === 0 ? 'PUT' : 'PROPFIND', `/nowhere/${index}`);
      }
      const { text } = await page();
      expect(new Set(text.match(/queue="[^"]*"/g))).to.have.lengthOf(6);
      expect(text).to.include('queue="other"');
      expect(text.match(/^jobgate_http_requests_total\{route="none".*$/gm)).to.deep.equal([
        'jobgate_http_requests_total{route="none",method="PUT",status="4xx"} 10',
        'jobgate_http_requests_total{route="none",method="other",status="4xx"} 10',
      ]);
    });
  });
}
