import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { figures, type Figures } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { call, registerWorker } from '../service-calls.ts';
import { waitsOf } from './latency.ts';

const PLAIN = 'no hook';
const HANGING = 'a hook whose receiver hangs';

/** How much longer a job may wait beside a hook whose receiver hangs (reach contract, section 17). */
const MOST = 1.1;

/** From add to call, of a queue without a hook and of one with a hook whose receiver never answers. */
export async function hangingReceiver(rounds: number): Promise<Figures> {
  const server = await RedisServer.start();
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/arrival-endpoint.ts'], {});
  const url = `http://127.0.0.1:${endpoint.port}/`;
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  const target = local(service);
  try {
    const waits = new Map<string, (readonly number[])[]>();
    for (const queue of ['plain', 'hooked']) {
      await registerWorker(target, { queue, url, concurrency: 100 });
    }
    const hook = { url: silentUrl, events: ['job.completed'], queues: ['hooked'] };
    await call(target, 'PUT', '/hooks/silent', hook);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, queue] of [
        [PLAIN, 'plain'],
        [HANGING, 'hooked'],
      ] as const) {
        const measured = await waitsOf({ port: service.port, queue }, url);
        if (round > 0) waits.set(name, [...(waits.get(name) ?? []), measured]);
      }
    }
    const at = (name: string, share: number): readonly number[] =>
      (waits.get(name) ?? []).map((ages) => ages[Math.floor(ages.length * share)] ?? Number.NaN);
    const p99 = at(PLAIN, 0.99);
    return figures('From add to call beside a hook whose receiver hangs', [
      ...[PLAIN, HANGING].flatMap((name) => [
        { name: `${name}, p50`, values: at(name, 0.5), unit: 'ms' },
        { name: `${name}, p99`, values: at(name, 0.99), unit: 'ms' },
      ]),
      {
        name: 'p99 with the hook against without',
        unit: 'times',
        values: at(HANGING, 0.99).map((own, round) => own / (p99[round] ?? Number.NaN)),
        most: MOST,
      },
    ]);
  } finally {
    await service.stop();
    await endpoint.stop();
    silent.closeAllConnections();
    silent.close();
    await server.stop();
  }
}
