import { expect } from 'chai';
import { commandLine } from '../support/command-line.ts';
import { EVERY_STORE } from '../support/every-store.ts';
import { eventually } from '../support/eventually.ts';
import { MetricsPage } from '../support/metrics-page.ts';
import type { Answer } from '../support/called-service.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { isSlowLane } from '../support/lane.ts';

/** The heap of the service in MB. In a smaller one, the service alone is near the limit at which adds are taken again. */
const HEAP = 128;

const FULL = new RegExp(
  `^The memory is full: \\d+ of ${HEAP} MB; remove jobs or give the process more$`,
);

/** The jobs of one add that fills the memory: many small ones, or a few large ones. */
const ADDS = {
  '20 bytes': { jobs: 1000, bytes: 20 },
  '1 kB': { jobs: 1000, bytes: 1000 },
  '1 MB': { jobs: 1, bytes: 1_000_000 },
};

type Add = (typeof ADDS)[keyof typeof ADDS];

const CLIENTS = 4;

/** After which time (ms) what is in use is known for certain. */
const COLLECTED = 2500;

/** How long (ms) a collection of all garbage may take to come: one that took long is followed by a long rest. */
const PATIENCE = 60_000;

describe('a heap that is full of jobs', () => {
  const services = new StartedServices();
  let environment: Readonly<Record<string, string>>;
  let service: ServiceProcess;

  afterEach(() => services.kill());

  async function start(store: string): Promise<void> {
    environment = {
      ...(await EVERY_STORE[store]?.()),
      NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
    };
    service = await services.start(environment);
  }

  function add({ jobs, bytes }: Add): Promise<Answer> {
    const job = { name: 'n', data: 'x'.repeat(bytes) };
    return service.call('POST', '/queues/mail/jobs', new Array(jobs).fill(job));
  }

  /** Has several clients add at once until an add is refused. @returns how many jobs were taken. */
  async function fill(given: Add): Promise<number> {
    let taken = 0;
    const refused: Answer[] = [];
    const client = async (): Promise<void> => {
      while (refused.length === 0) {
        const answer = await add(given);
        if (answer.status === 200) taken += given.jobs;
        // Others leave too little room for a large body at the moment.
        else if (answer.status !== 503) refused.push(answer);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    for (const { status, body } of refused) {
      expect(status).to.equal(507);
      expect(body).to.match(FULL);
    }
    return taken;
  }

  /** Adds until none is taken any more, also once the garbage of the adds is collected. */
  async function fillUp(given: Add): Promise<void> {
    let fullSince = performance.now();
    await eventually('the memory stays full', async () => {
      if ((await fill(given)) > 0) fullSince = performance.now();
      return performance.now() - fullSince > COLLECTED;
    });
  }

  async function counts(): Promise<Readonly<Record<string, number>>> {
    const { body } = await service.call('GET', '/queues/mail');
    return (body as { readonly counts: Readonly<Record<string, number>> }).counts;
  }

  async function untilTaken(): Promise<void> {
    const isTaken = async (): Promise<boolean> => (await add(ADDS['20 bytes'])).status === 200;
    await eventually('adds are taken', isTaken, PATIENCE);
  }

  // The everyday lane has jobs of 20 bytes and of 1 kB refused below.
  for (const [size, given] of isSlowLane ? Object.entries(ADDS) : []) {
    // holds: store.full-memory
    it(`refuses jobs of ${size} in memory, until others are removed`, async () => {
      await start('memory');
      const taken = await fill(given);
      expect(await counts()).to.include({ waiting: taken });
      await service.call('POST', '/queues/mail/drain');
      await untilTaken();
    }).timeout(2 * PATIENCE);
  }

  // The values of jobs that wait are on the disk there, so that it takes many more to fill the memory.
  for (const store of isSlowLane ? ['embedded', 'postgres'] : []) {
    // holds: store.full-memory
    it(`refuses jobs with STORE=${store} and starts with them, until others are removed`, async () => {
      await start(store);
      const taken = await fill(ADDS['20 bytes']);
      await services.kill();
      service = await services.start(environment);
      await eventually('it is ready', async () => {
        return (await service.call('GET', '/health/ready')).status === 200;
      });
      expect(await counts()).to.include({ waiting: taken });
      await service.call('POST', '/queues/mail/drain');
      await untilTaken();
    }).timeout(2 * PATIENCE);
  }

  // holds: store.full-memory
  it('refuses jobs, survives large bodies that come at once, and takes jobs once others are removed', async () => {
    await start('memory');
    const taken = await fill(ADDS['20 bytes']);
    expect(await counts()).to.include({ waiting: taken });
    const values = Array.from({ length: 490_000 }, (_, index) => index);
    for (const data of ['x'.repeat(9_000_000), values]) {
      const adds = Array.from({ length: 8 }, () =>
        service.call('POST', '/queues/mail/jobs', [{ name: 'n', data }]).catch(() => undefined),
      );
      for (const answer of await Promise.all(adds)) {
        if (answer !== undefined) expect(answer.status).to.be.oneOf([200, 503, 507]);
      }
    }
    expect((await service.call('GET', '/health/ready')).status).to.equal(200);
    await service.call('POST', '/queues/mail/drain');
    await untilTaken();
  }).timeout(2 * PATIENCE);

  // holds: store.full-memory
  it('refuses all that adds jobs, goes on with all else, and says why', async () => {
    await start('memory');
    const scheduler = { repeat: { every: 3_600_000 }, job: { name: 'n', data: 1 } };
    const put = (id: string): Promise<Answer> =>
      service.call('PUT', `/queues/mail/schedulers/${id}`, scheduler);
    expect((await put('before')).status).to.equal(200);
    await fillUp(ADDS['1 kB']);
    const flow = {
      queue: 'mail',
      name: 'n',
      data: 1,
      children: [{ queue: 'mail', name: 'n', data: 1 }],
    };
    const refused = [
      await service.call('POST', '/flows', flow),
      await service.call('POST', '/queues/mail/schedulers/before/run'),
      await put('after'),
    ];
    for (const { status, body } of refused) {
      expect(status).to.equal(507);
      expect(body).to.match(FULL);
    }
    const { body: claimed } = await service.call('POST', '/queues/mail/jobs/claim', {});
    const [{ job, token }] = claimed as [{ readonly job: { readonly id: string }; token: string }];
    const path = `/queues/mail/jobs/${job.id}`;
    const ended = await service.call('POST', `${path}/complete`, 'x', token);
    expect(ended.status).to.equal(200);
    expect((await service.call('GET', path)).body).to.include({ state: 'completed' });
    expect((await service.call('POST', `${path}/retry`)).status).to.equal(200);
    const warning = await eventually('a warning', async () => {
      const { body } = await service.call('GET', '/system');
      const { warnings } = body as { readonly warnings: readonly { code: string; text: string }[] };
      return warnings.find(
        ({ code, text }) => code === 'memory' && text.startsWith('The memory is full'),
      );
    });
    expect(warning).to.include({ docs: 'operations.md#full-memory' });
    const { ok } = commandLine(() => service.url);
    for (const command of [['system'], ['why', 'mail']]) {
      expect(await ok(...command)).to.match(/The memory is full: \d+ of \d+ MB; remove jobs/);
    }
    const metrics = await service.call('GET', '/metrics');
    const ratio = new MetricsPage(String(metrics.body)).value('jobgate_store_memory_ratio');
    expect(ratio).to.be.within(0.25, 1);
  }).timeout(2 * PATIENCE);
});
