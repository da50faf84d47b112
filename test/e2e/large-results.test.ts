import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { EndpointServer, answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { rounds } from '../support/lane.ts';

/** The heap of the service in MB: less than the results take together. */
const HEAP = 96;

/** How long (ms) all calls may take on a slow machine. */
const PATIENCE = 60_000;

const HEADERS = {
  authorization: `Bearer ${ServiceProcess.token}`,
  'content-type': 'application/json',
};

describe('large results', () => {
  const services = new StartedServices();
  let folder: string;
  let endpoint: EndpointServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
  });

  afterEach(async () => {
    await services.kill();
    await endpoint.close();
    await rm(folder, { recursive: true });
  });

  async function call(service: ServiceProcess, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: HEADERS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  }

  const stores: readonly (readonly [
    store: string,
    size: number,
    count: number,
    environment: () => Promise<Readonly<Record<string, string>>>,
  ])[] = [
    ['the embedded store', 200_000, 500, () => Promise.resolve({ STORE_PATH: folder })],
    [
      'PostgreSQL',
      1_000_000,
      100,
      async () => {
        const { uri, schema } = await freshSchema();
        return { STORE_URI: uri, STORE_SCHEMA: schema };
      },
    ],
  ];
  for (const [store, size, count, environmentOf] of stores.slice(0, rounds(2, 1))) {
    // holds: bounds.events
    it(`take no room in the memory of the service, with ${store}`, async () => {
      const environment = {
        ...(await environmentOf()),
        NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
        STALLED_INTERVAL: '1000',
      };
      endpoint = await EndpointServer.start(
        answer(200, { result: randomBytes(size / 2).toString('hex') }),
      );
      const service = await services.start(environment);
      await call(service, '/workers', {
        queue: 'large',
        endpoint: { url: endpoint.url, method: 'POST' },
        opts: { concurrency: 3 },
      });
      await call(
        service,
        '/queues/large/jobs',
        Array.from({ length: count }, () => ({ name: 'job', data: 1 })),
      );
      const completed = async (of: ServiceProcess): Promise<unknown> => {
        const { counts } = (await call(of, '/queues/large')) as { counts: { completed: number } };
        return counts.completed;
      };
      const isDone = async (): Promise<boolean> => (await completed(service)) === count;
      await eventually('all jobs are completed', isDone, PATIENCE);
      await services.kill();
      expect(await completed(await services.start(environment))).to.equal(count);
    }).timeout(2 * PATIENCE);
  }
});
