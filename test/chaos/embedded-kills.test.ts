import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { seededRandom } from '../support/seeded-random.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { EmbeddedLedger, statesOf } from './support/embedded-ledger.ts';
import { rounds } from '../support/lane.ts';

/** `KILLS=1000 npm run test:file -- …` for more of them, `SEED` for others. */
const KILLS = Number(process.env['KILLS'] ?? rounds(20, 3));
const SEED = Number(process.env['SEED'] ?? 47);

/** How long (ms) after its start a service may be killed, and after it listens. */
const STARTING = 800;
const LIVING = 600;
const HOUR = 3_600_000;

const SCHEDULER = { repeat: { every: 40 }, job: { name: 'tick', data: {} } };

describe('STORE=embedded under SIGKILL', () => {
  let folder: string;
  const environment = (): Readonly<Record<string, string>> => ({ STORE_PATH: folder });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-kills-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  // holds: store.acknowledged
  it(`keeps what it answered through ${KILLS} kills`, async () => {
    const random = seededRandom(SEED);
    let ledger = new EmbeddedLedger('queue-0');
    const pauses = new Pauses();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (random() < 0.2) await killStarting(random() * STARTING);
      const service = await ServiceProcess.start(environment());
      try {
        await ledger.expectAllIn(service);
        await pauses.expectIn(service);
        await finish(service, ledger);
        ledger = new EmbeddedLedger(`queue-${kill}`);
        const traffic = new Traffic(service, ledger, pauses, random);
        await sleep(random() ** 2 * LIVING);
        await service.kill();
        await traffic.end();
      } finally {
        await service.kill();
      }
    }
    const service = await ServiceProcess.start(environment());
    try {
      await ledger.expectAllIn(service);
      await finish(service, ledger);
    } finally {
      await service.stop();
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).to.deep.equal([]);
  }).timeout(60_000 + KILLS * 10_000);

  async function killStarting(after: number): Promise<void> {
    const service = ServiceProcess.begin(environment());
    await sleep(after);
    await service.kill();
  }
});

/** Ends every job of a queue, and removes the queue: nobody holds a job that clients do not know of. */
async function finish(service: ServiceProcess, ledger: EmbeddedLedger): Promise<void> {
  const { queue } = ledger;
  await service.call('DELETE', `/queues/${queue}/schedulers/tick`);
  for (const [id, token] of [...ledger.held]) {
    const isOpen = ledger.isOpen(id);
    const status = await report(service, queue, id, token, 'complete');
    if (isOpen) expect(status, `${id} was held`).to.equal(200);
  }
  if ((await service.call('GET', `/queues/${queue}`)).status === 404) return;
  for (;;) {
    const claimed = await claim(service, queue, 100);
    if (claimed.length === 0) break;
    for (const { job, token } of claimed) {
      if (/^\d+$/.test(job.id)) ledger.claim(job.id, token);
      expect(await report(service, queue, job.id, token, 'complete')).to.equal(200);
    }
  }
  // A claim whose answer got lost holds its jobs for the time that it asked for.
  const states = [...(await statesOf(service, queue)).values()];
  expect(
    states.filter((state) => !['completed', 'failed', 'active'].includes(state)),
  ).to.deep.equal([]);
  const removal = `/queues/${queue}?confirm=${queue}&force=true`;
  expect((await service.call('DELETE', removal)).status).to.be.oneOf([200, 204, 404]);
}

interface Claimed {
  readonly job: { readonly id: string };
  readonly token: string;
}

async function claim(
  service: ServiceProcess,
  queue: string,
  count: number,
): Promise<readonly Claimed[]> {
  const { status, body } = await service.call('POST', `/queues/${queue}/jobs/claim`, {
    count,
    wait: 0,
    lock: HOUR,
  });
  expect(status).to.equal(200);
  return body as readonly Claimed[];
}

async function report(
  service: ServiceProcess,
  queue: string,
  id: string,
  token: string,
  ending: 'complete' | 'fail',
): Promise<number> {
  const body = ending === 'fail' ? { reason: 'so it is', retry: false } : {};
  const { status } = await service.call(
    'POST',
    `/queues/${queue}/jobs/${id}/${ending}`,
    body,
    token,
  );
  return status;
}

/** Whether a queue is paused, as far as was answered. */
class Pauses {
  #answered: boolean | undefined;
  #asked: boolean | undefined;

  async change(service: ServiceProcess): Promise<void> {
    this.#asked = this.#answered !== true;
    const action = this.#asked ? 'pause' : 'resume';
    const { status } = await service.call('POST', `/queues/paused/${action}`);
    if (status < 300) this.#answered = this.#asked;
  }

  async expectIn(service: ServiceProcess): Promise<void> {
    if (this.#answered === undefined) return;
    const { body } = await service.call('GET', '/queues/paused');
    const { paused } = body as { readonly paused: boolean };
    expect(paused).to.be.oneOf([this.#answered, this.#asked]);
    this.#answered = paused;
  }
}

/** Clients of a service that go on until it is killed. */
class Traffic {
  readonly #service: ServiceProcess;
  readonly #ledger: EmbeddedLedger;
  readonly #random: () => number;
  readonly #running: Promise<unknown>;
  #hasEnded = false;

  constructor(
    service: ServiceProcess,
    ledger: EmbeddedLedger,
    pauses: Pauses,
    random: () => number,
  ) {
    this.#service = service;
    this.#ledger = ledger;
    this.#random = random;
    const clients = [
      () => this.#add(),
      () => this.#add(),
      () => this.#process(),
      () => this.#process(),
      () => this.#remove(),
      () => pauses.change(service),
      () => this.#schedule(),
    ];
    this.#running = Promise.all(clients.map((client) => this.#untilKilled(client)));
  }

  /** To be called once the service is killed. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#running;
  }

  /** A call without an answer ends a client, what it expects of one with an answer ends the test. */
  async #untilKilled(client: () => Promise<void>): Promise<void> {
    while (!this.#hasEnded) {
      try {
        await client();
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }

  get #path(): string {
    return `/queues/${this.#ledger.queue}`;
  }

  async #add(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 5);
    const jobs = Array.from({ length: count }, () => ({ name: 'job', data: 'x'.repeat(500) }));
    const { status, body } = await this.#service.call('POST', `${this.#path}/jobs`, jobs);
    expect(status).to.equal(200);
    this.#ledger.add((body as readonly { readonly id: string }[]).map(({ id }) => id));
  }

  async #process(): Promise<void> {
    const { queue } = this.#ledger;
    for (const { job, token } of await claim(this.#service, queue, 3)) {
      if (!/^\d+$/.test(job.id)) {
        await report(this.#service, queue, job.id, token, 'complete');
        continue;
      }
      this.#ledger.claim(job.id, token);
      const chance = this.#random();
      if (chance < 0.1) continue;
      const [ending, way] =
        chance < 0.3 ? (['failed', 'fail'] as const) : (['completed', 'complete'] as const);
      await this.#ledger.end(job.id, ending, () =>
        report(this.#service, queue, job.id, token, way),
      );
    }
  }

  async #remove(): Promise<void> {
    const { added } = this.#ledger;
    const id = added[Math.floor(this.#random() * added.length)];
    await sleep(5);
    if (id === undefined) return;
    const { status } = await this.#service.call('GET', `${this.#path}/jobs/${id}`);
    if (status !== 200) return;
    await this.#ledger.end(id, 'removed', async () => {
      const { status } = await this.#service.call('DELETE', `${this.#path}/jobs/${id}`);
      return status;
    });
  }

  async #schedule(): Promise<void> {
    await this.#service.call('PUT', `${this.#path}/schedulers/tick`, SCHEDULER);
    await sleep(30);
  }
}
