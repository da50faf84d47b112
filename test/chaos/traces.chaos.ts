import { expect } from 'chai';
import { MetricsPage } from '../support/metrics-page.ts';
import { MemoryWatch } from '../support/process-memory.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { TraceCollector } from '../support/trace-collector.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Play } from './support/play.ts';

const JOBS = 100_000;

/** Most spans of one trace. */
const MOST_SPANS = 1000;

/** How long the collector is away, in milliseconds. */
const OUTAGE = 120_000;

/** How long the service works before its memory is watched, in milliseconds: by then it has grown to its size. */
const WARM_UP = 15_000;

/** How much the memory of the service may grow meanwhile, in megabytes: what is dropped would take twice as much. */
const MOST_GROWTH = 60;

describe('traces under load', () => {
  const services = new StartedServices();
  let store: RedisServer;
  let collector: TraceCollector;
  let play: Play;

  beforeEach(async () => {
    [store, collector] = await Promise.all([RedisServer.start(), TraceCollector.start()]);
    play = await Play.begin(lasting(0));
  });

  afterEach(async () => {
    await play.end();
    await services.kill();
    await Promise.all([store.stop(), collector.close()]);
  });

  function start(attempts: string): Promise<ServiceProcess> {
    return services.start({
      STORE_URI: store.uri,
      MAX_JOBS_PER_ADD: String(JOBS),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_JOBGATE_TRACES: attempts,
    });
  }

  for (const attempts of ['link', 'parent']) {
    it(`${JOBS} jobs of one request make no long trace, attempts as ${attempts}`, async () => {
      const service = await start(attempts);
      const { client, endpoint, ledger } = play;
      await client.addAccepted(service, JOBS);
      await client.register(service, endpoint.origin, { concurrency: 100 });
      await client.settle(service, 240_000);
      ledger.expectEachOnce();
      const sizes = new Map<string, number>();
      for (const { traceId } of collector.spans) {
        sizes.set(traceId, (sizes.get(traceId) ?? 0) + 1);
      }
      const most = Math.max(...sizes.values());
      const { exported = 0, dropped = 0 } = await spansOf(service);
      ledger.print({ spans: collector.spans.length, 'most of a trace': most, dropped });
      expect(most).to.be.at.most(MOST_SPANS);
      expect(exported).to.be.at.least(JOBS);
    }).timeout(300_000);
  }

  it('takes no memory while the collector is away, and counts what is dropped', async () => {
    const service = await start('link');
    const { client, endpoint, ledger } = play;
    await client.register(service, endpoint.origin, { concurrency: 100 });
    async function work(time: number): Promise<void> {
      const end = performance.now() + time;
      while (performance.now() < end) {
        await client.addAccepted(service, 1000);
        await client.untilFinished(service, 60_000);
      }
    }
    collector.isBroken = true;
    await work(WARM_UP);
    const memory = new MemoryWatch(service.pid);
    await work(OUTAGE);
    const { before, peak } = memory;
    memory.end();
    await client.settle(service);
    const { dropped = 0 } = await spansOf(service);
    ledger.print({ dropped, 'MB before': before, 'MB at most': peak });
    ledger.expectEachOnce();
    expect(dropped).to.be.above(ledger.totals.accepted);
    expect(peak - before).to.be.below(MOST_GROWTH);
  }).timeout(WARM_UP + OUTAGE + 120_000);
});

async function spansOf(service: ServiceProcess): Promise<Readonly<Record<string, number>>> {
  const page = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${ServiceProcess.token}` },
  });
  return new MetricsPage(await page.text()).by('outcome', 'jobgate_trace_spans_total');
}
