import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { workersInMemory } from '../../support/collections.ts';
import { FamilyCancelling } from '../../../src/application/flows/family-cancelling.ts';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import { flowJobShape, newFlow } from '../../../src/domain/flows/flow.ts';
import { queueName, type QueueName } from '../../../src/domain/queues/queue-name.ts';
import { countsOf, HOUR, jobOf, pausedIn, uniqueQueue } from '../../contracts/queue-steps.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { unobserved } from '../../support/unobserved.ts';

const ROOT = 'root';

/** More than one run of a script takes. */
const MANY = 250;

const shape = flowJobShape(queueName({ min: 3, max: 100 }));

describe('requests that Redis takes in several steps', function () {
  this.timeout(60_000);

  let server: RedisServer;
  let connections: TestConnections<Redis>;
  let direct: TestConnections;
  let replica: RedisReplica;
  let other: RedisReplica;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    direct = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
    other = redisReplica(direct);
  });

  after(async () => {
    connections.close();
    direct.close();
    await server.stop();
  });

  async function addJobs(queue: QueueName): Promise<void> {
    const jobs = Array.from({ length: MANY }, (_, n) => jobOf(n < MANY / 2 ? {} : { delay: HOUR }));
    await other.queues.add(queue, jobs);
  }

  async function addFamily(queue: QueueName): Promise<void> {
    const children = Array.from({ length: MANY }, (_, data) => ({ queue, name: 'part', data }));
    const root = { queue, name: 'all', data: 1, opts: { jobId: ROOT }, children };
    const none = (): undefined => undefined;
    await other.flows.add(newFlow(root, shape, none, 'flow'), none);
  }

  /** Loses the connection before it sends the command after the first `sent`. */
  function loseAfter(sent: number): { restored: () => Promise<void> } {
    const redis = connections.commands;
    const send = redis.sendCommand.bind(redis);
    let [commands, back] = [0, Promise.resolve()];
    redis.sendCommand = (command, stream) => {
      if (commands === sent) {
        back = new Promise((resolve) => redis.once('ready', resolve));
        redis.stream.destroy();
      }
      commands += 1;
      return send(command, stream);
    };
    return {
      restored: () => {
        redis.sendCommand = send;
        return back;
      },
    };
  }

  const seen = async (queue: QueueName): Promise<unknown> => [
    await countsOf(other.queues, queue),
    await pausedIn(other.queueDirectory, queue),
  ];

  for (const [what, fill, run] of [
    ['a drain', addJobs, (queue) => replica.queueControl.drain(queue, { delayed: true })],
    ['the removal of a queue', addJobs, (queue) => replica.queueControl.remove(queue, false)],
    ['the removal of a family', addFamily, (queue) => replica.jobControl.remove(queue, ROOT)],
    [
      'the cancellation of a family',
      addFamily,
      (queue) => {
        const { flows, jobControl: control } = replica;
        const [workers, signals] = [workersInMemory(), new MemorySignals()];
        const clock = new SystemClock();
        const parts = { flows, control, workers, signals, observer: unobserved, clock };
        return new FamilyCancelling(parts).cancel({ queue, id: ROOT }, 'Too late');
      },
    ],
  ] as const satisfies readonly (readonly [
    string,
    (queue: QueueName) => Promise<void>,
    (queue: QueueName) => Promise<unknown>,
  ])[]) {
    // holds: store.not-stored
    it(`say that a part may be stored once one is: ${what}`, async () => {
      const outcomes = new Set<string>();
      for (let sent = 0; !outcomes.has('done'); sent += 1 + Math.floor(sent / 10)) {
        const queue = uniqueQueue();
        await fill(queue);
        const before = await seen(queue);
        const { restored } = loseAfter(sent);
        const outcome = await run(queue).then(
          () => 'done',
          (error: unknown) => {
            if (!isStoreUnavailable(error)) throw error;
            return error.mayBeStored ? 'unknown' : 'refused';
          },
        );
        await restored();
        outcomes.add(outcome);
        if (outcome === 'refused') expect(await seen(queue), `${sent}`).to.deep.equal(before);
      }
      expect([...outcomes]).to.have.members(['refused', 'unknown', 'done']);
    });
  }
});
