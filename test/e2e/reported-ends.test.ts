import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CalledService } from '../support/called-service.ts';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { EventStream } from '../support/event-stream.ts';
import { InProcessService } from '../support/in-process-service.ts';
import { isSlowLane } from '../support/lane.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const HEADERS = { authorization: `Bearer ${ServiceProcess.token}` };

/** How many jobs each run adds, and after how many reported ends it kills the service. */
const JOBS = 60;
const REPORTED = 25;

const QUEUE = '/queues/mail';

/** Reports the ids of jobs that have ended, until the service is gone. */
type Source = (service: ServiceProcess, ended: (id: string) => void) => Promise<void>;

interface ShownJob {
  readonly id: string;
  readonly finishedOn?: number | null;
}

/** Reads one path again and again. */
async function reading(
  service: ServiceProcess,
  path: string,
  take: (body: unknown) => void,
): Promise<void> {
  for (;;) {
    const { status, body } = await service.call('GET', path);
    if (status === 200) take(body);
  }
}

const SOURCES: readonly (readonly [name: string, follow: Source])[] = [
  [
    'an add that waits',
    async (service, ended) => {
      for (;;) {
        const response = await fetch(`${service.url}${QUEUE}/jobs`, {
          method: 'POST',
          headers: { ...HEADERS, prefer: 'wait=20' },
          body: JSON.stringify({ name: 'mail', data: 1 }),
        });
        const { id, state } = (await response.json()) as { id: string; state?: string };
        if (state === 'completed') ended(id);
      }
    },
  ],
  [
    'the result',
    async (service, ended) => {
      for (let id = 1; ; id += 1) {
        const { status } = await service.call('GET', `${QUEUE}/jobs/${id}/result?timeout=20000`);
        if (status === 200) ended(String(id));
      }
    },
  ],
  [
    'the job',
    async (service, ended) => {
      for (let id = 1; ; id += 1) {
        await reading(service, `${QUEUE}/jobs/${id}`, (body) => {
          const { finishedOn } = body as ShownJob;
          if (finishedOn !== null && finishedOn !== undefined) {
            ended(String(id));
            id += 1;
          }
        });
      }
    },
  ],
  [
    'a list',
    async (service, ended) =>
      reading(service, `${QUEUE}/jobs?statuses=completed&length=100`, (body) => {
        for (const { id } of (body as { jobs: readonly ShownJob[] }).jobs) ended(id);
      }),
  ],
  [
    'events',
    async (service, ended) => {
      const path = `${QUEUE}/events?events=completed`;
      const stream = await EventStream.open(service.url + path, HEADERS);
      for (;;) {
        const event = await stream.next();
        if (event?.data.jobId === undefined) return;
        ended(event.data.jobId);
      }
    },
  ],
];

/** What a hook or a callback sends. */
interface Message {
  readonly type: string;
  readonly data: { readonly job?: { readonly id: string }; readonly id?: string };
}

describe('the end of a job that was reported', () => {
  const services = new StartedServices();
  let folder: string;
  let endpoint: EndpointServer;
  let receiver: EndpointServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
    endpoint = await EndpointServer.start(answer(200, { result: 'x'.repeat(50_000) }));
    receiver = await EndpointServer.start(answer(204));
  });

  afterEach(async () => {
    await services.kill();
    await Promise.all([endpoint.close(), receiver.close()]);
    await rm(folder, { recursive: true });
  });

  const environments: readonly (readonly [
    store: string,
    environment: () => Promise<Readonly<Record<string, string>>>,
  ])[] = [
    ['the embedded store', () => Promise.resolve({ STORE: 'embedded', STORE_PATH: folder })],
    [
      'PostgreSQL',
      async () => {
        const { uri, schema } = await freshSchema();
        return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
      },
    ],
  ];

  /** The jobs that have completed by what the service shows right after a start. */
  async function completedIn(service: CalledService): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (let start = 0; ; start += 100) {
      const path = `${QUEUE}/jobs?statuses=completed&start=${start}&length=100`;
      const { jobs } = (await service.call('GET', path)).body as { jobs: readonly ShownJob[] };
      for (const { id } of jobs) ids.add(id);
      if (jobs.length < 100) return ids;
    }
  }

  for (const [store, environmentOf] of environments) {
    const messages: Source = () => new Promise(() => undefined);
    const sources = [['hooks and callbacks', messages] as const, ...SOURCES];
    // What is shown before it is on the disk is a matter of the memory that both have. A message goes out by itself.
    const isWhole = isSlowLane || store !== 'PostgreSQL';
    for (const [source, follow] of isWhole ? sources : sources.slice(0, 2)) {
      // holds: store.acknowledged
      it(`is on the disk, with ${store} and ${source}`, async () => {
        const environment = { ...(await environmentOf()), STALLED_INTERVAL: '1000' };
        const service = await services.start(environment);
        const reported = new Set<string>();
        const enough = new Promise<void>((resolve) => {
          const ended = (id: string): void => {
            if (reported.add(id).size === REPORTED) {
              service.signal('SIGKILL');
              resolve();
            }
          };
          receiver.respond = ({ text }, response) => {
            const { data } = JSON.parse(text) as Message;
            ended(data.job?.id ?? data.id ?? '');
            response.writeHead(204).end();
          };
          follow(service, ended).catch(() => undefined);
        });
        const call = async (method: string, path: string, body: unknown): Promise<void> => {
          const { status, body: text } = await service.call(method, path, body);
          expect(status, JSON.stringify(text)).to.be.below(300);
        };
        const callback = { url: receiver.url };
        await call('PUT', `${QUEUE}/policy`, { callbacks: { origins: [receiver.origin] } });
        await call('PUT', '/hooks/ends', { url: receiver.url, events: ['job.completed'] });
        const jobs = Array.from({ length: JOBS }, () => ({
          name: 'mail',
          data: 1,
          ...(follow === messages && { opts: { callback } }),
        }));
        await call('POST', `${QUEUE}/jobs`, jobs);
        await call('POST', '/workers', {
          queue: 'mail',
          endpoint: { url: endpoint.url, method: 'POST' },
          opts: { concurrency: 5 },
        });
        await enough;
        await service.exited;
        const ends = [...reported];
        const again = await InProcessService.start(environment);
        const completed = await completedIn(again).finally(() => again.kill());
        expect(ends.filter((id) => !completed.has(id))).to.deep.equal([]);
      });
    }
  }
});
