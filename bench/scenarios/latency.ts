import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { monotonicTime } from '../monotonic-time.ts';
import { figures, noted, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { registerWorker } from '../service-calls.ts';

const RATE = 200;
const SECONDS = 5;

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** From the request that adds a job to the call of the endpoint, at a steady rate. Milliseconds. */
export async function benchLatency(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  // nginx would not tell when a call arrived, not to a fraction of a millisecond.
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/arrival-endpoint.ts'], {});
  const url = `http://127.0.0.1:${endpoint.port}/`;
  const native = await ServerProcess.start(['--import', 'tsx', 'bench/native-service.ts'], {
    STORE_URI: server.uri,
    ENDPOINT: url,
  });
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  await registerWorker(local(service), { queue: 'here', url, concurrency: 100 });
  const run = async (port: number, queue: string): Promise<Latencies> => {
    const started = performance.now();
    for (let sent = 0; sent < RATE * SECONDS; sent += 1) {
      void fetch(`http://127.0.0.1:${port}/queues/${queue}/jobs`, {
        method: 'POST',
        headers: { authorization: 'Bearer bench' },
        body: JSON.stringify([{ name: 'mail', data: { sent: monotonicTime() } }]),
      }).then((response) => response.text());
      await sleep(Math.max(0, started + ((sent + 1) * 1000) / RATE - performance.now()));
    }
    const ages: number[] = [];
    while (ages.length < RATE * SECONDS) {
      ages.push(...((await (await fetch(url)).json()) as number[]));
      await sleep(5);
    }
    const sorted = ages.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99) };
  };
  try {
    const rows: { native: Latencies; here: Latencies }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const both = {
        native: await run(native.port, 'native'),
        here: await run(service.port, 'here'),
      };
      if (round > 0) rows.push(both);
    }
    const each = (pick: (row: (typeof rows)[number]) => number): number[] => rows.map(pick);
    return [
      noted(
        'the endpoint is node:http in a process of its own',
        figures(`From add to call at ${RATE} jobs/s`, [
          { name: 'BullMQ in process, p50', values: each(({ native }) => native.p50), unit: 'ms' },
          { name: 'BullMQ in process, p99', values: each(({ native }) => native.p99), unit: 'ms' },
          { name: 'jobgate, p50', values: each(({ here }) => here.p50), unit: 'ms' },
          { name: 'jobgate, p99', values: each(({ here }) => here.p99), unit: 'ms' },
          {
            name: 'p50 against BullMQ',
            values: each(({ here, native }) => here.p50 / native.p50),
            unit: 'times',
            most: 1.5,
          },
          {
            name: 'p99 against BullMQ',
            values: each(({ here, native }) => here.p99 / native.p99),
            unit: 'times',
            most: 2,
          },
        ]),
      ),
    ];
  } finally {
    await Promise.all([native.stop(), service.stop(), endpoint.stop()]);
    await server.stop();
  }
}
