import { expect } from 'chai';
import { Flows } from '../../../src/application/flows/flows.ts';
import { Jobs } from '../../../src/application/jobs/jobs.ts';
import { flowJobShape } from '../../../src/domain/flows/flow.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { countsOf } from '../../contracts/queue-steps.ts';
import { CuttingProxy, type CutAfter } from '../../support/cutting-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { noCalledOptions } from '../../support/no-called-options.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { unobserved } from '../../support/unobserved.ts';
import { HttpService, type Answer } from '../http/support/http-service.ts';

/** More than one run of a script adds. */
const MANY = 2500;

const NO_CUT: CutAfter = {};

function jobs(count: number): readonly object[] {
  return Array.from({ length: count }, (_, data) => ({ name: 'work', data }));
}

interface Add {
  readonly what: string;
  readonly count: number;
  readonly path: (queue: string) => string;
  readonly body: (queue: string) => unknown;
  /** The outcomes that the cuts have to bring about. */
  readonly outcomes: readonly string[];
}

const ADDS: readonly Add[] = [
  {
    what: 'a job',
    count: 1,
    path: (queue) => `/queues/${queue}/jobs`,
    body: () => jobs(1),
    outcomes: ['unknown 0', 'unknown 1'],
  },
  {
    what: 'a flow',
    count: 4,
    path: () => '/flows',
    body: (queue) => ({
      ...{ queue, name: 'root', data: 1 },
      children: jobs(3).map((job) => ({ queue, ...job })),
    }),
    outcomes: ['unknown 0', 'unknown 4'],
  },
  {
    what: 'many jobs',
    count: MANY,
    path: (queue) => `/queues/${queue}/jobs`,
    body: () => jobs(MANY),
    outcomes: ['refused 0', 'unknown 0', `unknown ${MANY}`],
  },
];

describe('adds during which the connection to Redis is cut', function () {
  this.timeout(60_000);

  let server: RedisServer;
  let proxy: CuttingProxy;
  let connections: TestConnections;
  let direct: TestConnections;
  let other: RedisReplica;
  let service: HttpService;
  let adds = 0;

  before(async () => {
    server = await RedisServer.start();
    proxy = await CuttingProxy.start(server.port);
    connections = await TestConnections.open(`redis://127.0.0.1:${proxy.port}`);
    direct = await TestConnections.open(server.uri);
    other = redisReplica(direct);
    const { queues, attempts, flows, jobParts: parts } = redisReplica(connections);
    const workers = { workerOf: () => Promise.resolve(undefined) };
    const shared = {
      policies: noPolicies,
      calledOptions: noCalledOptions,
      workers,
      observer: unobserved,
    };
    service = await new HttpService({
      replace: {
        jobs: new Jobs({ queues, attempts, parts, ...shared, maxJobsPerAdd: MANY }),
        flows: new Flows({
          flows,
          ids: new RandomTokens(),
          shape: flowJobShape(queueName({ min: 3, max: 100 })),
          ...shared,
        }),
      },
    }).start();
  });

  after(async () => {
    await service.stop();
    connections.close();
    direct.close();
    await proxy.close();
    await server.stop();
  });

  /** Of the same length each time, so that the requests are. */
  function nextQueue(): string {
    adds += 1;
    return `doubtful-${1000 + adds}`;
  }

  const send = ({ path, body }: Add, queue: string): Promise<Answer> =>
    service.request('POST', path(queue), {
      body: body(queue),
      headers: { 'Idempotency-Key': queue },
    });

  async function storedIn(queue: string): Promise<number> {
    const counts = await countsOf(other.queues, queueNamed(queue));
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /** How many bytes an add takes, when the store knows its scripts. */
  async function bytesOf(add: Add): Promise<Required<CutAfter>> {
    await send(add, nextQueue());
    const before = proxy.carried;
    expect((await send(add, nextQueue())).status).to.equal(200);
    const after = proxy.carried;
    return { sent: after.sent - before.sent, received: after.received - before.received };
  }

  /** The next time that the connection is ready, whatever goes wrong before. */
  function ready(): Promise<void> {
    return new Promise((resolve) => connections.commands.once('ready', resolve));
  }

  for (const add of ADDS) {
    const { what, count, outcomes } = add;
    // holds: store.not-stored, idempotency.unsettled
    it(`say of ${what} that all may be stored, or that nothing is, and can be repeated`, async () => {
      const bytes = await bytesOf(add);
      const seen = new Set<string>();
      for (const way of ['sent', 'received'] as const) {
        for (const at of [Math.ceil(bytes[way] / 2), bytes[way] - 9]) {
          const queue = nextQueue();
          const back = ready();
          proxy.cutAfter({ [way]: at });
          const { status, headers } = await send(add, queue);
          expect(status, `${way} ${at}`).to.equal(503);
          expect(headers.get('retry-after')).to.equal('1');
          await back;
          proxy.cutAfter(NO_CUT);
          const isUnknown = headers.get('jobgate-stored') === 'unknown';
          const stored = await storedIn(queue);
          expect(stored, `${way} ${at}`).to.be.oneOf(isUnknown ? [0, count] : [0]);
          seen.add(`${isUnknown ? 'unknown' : 'refused'} ${stored}`);
          // A large add claims its key for some seconds.
          const again = await eventually('the first add is over', async () => {
            const answer = await send(add, queue);
            return answer.status !== 409 && answer;
          });
          expect(again.status, again.text).to.equal(200);
          const isReplayed = again.headers.get('idempotent-replayed') === 'true';
          expect(isReplayed, `${way} ${at}`).to.equal(stored > 0);
          expect(await storedIn(queue)).to.equal(count);
        }
      }
      expect([...seen]).to.include.members(outcomes);
    });

    // holds: idempotency.unsettled
    it(`have repetitions of ${what} answered with 409 while the store is away`, async () => {
      const queue = nextQueue();
      const { received } = await bytesOf(add);
      connections.commands.once('close', () => proxy.cutEachAfter({ sent: 1 }));
      proxy.cutAfter({ received: received - 9 });
      const lost = await send(add, queue);
      expect([lost.status, lost.headers.get('jobgate-stored')]).to.deep.equal([503, 'unknown']);
      const early = await send(add, queue);
      expect([early.status, early.headers.get('retry-after')]).to.deep.equal([409, '1']);
      const back = ready();
      proxy.cutEachAfter(NO_CUT);
      await back;
      const replayed = await send(add, queue);
      expect(replayed.headers.get('idempotent-replayed')).to.equal('true');
      expect(await storedIn(queue)).to.equal(count);
    });
  }
});
