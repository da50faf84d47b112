import { expect } from 'chai';
import { Events } from '../../../src/application/events/events.ts';
import type { EventPosition } from '../../../src/domain/events/event-position.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { jobOf } from '../../contracts/queue-steps.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';

const QUEUES = 2000;
const EVENTS_OF_EACH = 10;

/** Longest time of a command, in microseconds: the mean, which a busy machine does not spoil. */
const LONGEST = 10_000;

/** KEYS: the registry. ARGV: the first and last number of a queue, and how many events each has. */
const ADD_QUEUES = `
for number = ARGV[1], ARGV[2] do
  local queue = string.format("bull:queue-%05d:", number)
  redis.call("ZADD", KEYS[1], 0, string.format("queue-%05d", number))
  redis.call("HSET", queue .. "meta", "opts.maxLenEvents", ARGV[3], "jobgate.listed", 1)
  for job = 1, ARGV[3] do
    redis.call("XADD", queue .. "events", "*", "event", "waiting", "jobId", job)
  end
end`;

describe('Events of thousands of queues', () => {
  let server: RedisServer;
  let connections: Awaited<ReturnType<typeof TestConnections.open>>;

  before(async function () {
    this.timeout(60_000);
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    for (let first = 1; first <= QUEUES; first += 200) {
      const last = first + 199;
      await connections.commands.eval(
        ADD_QUEUES,
        1,
        'bull::jobgate:queues',
        first,
        last,
        EVENTS_OF_EACH,
      );
    }
  });

  after(async () => {
    connections.close();
    await server.stop();
  });

  const callsOf = async (command: string): Promise<number> => {
    const stats = await connections.commands.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };

  // holds: all-events.short-steps
  it('are read by short commands, and by none without a subscriber', async function () {
    this.timeout(60_000);
    const { events, queues } = redisReplica(connections);
    const all = new Events(events, { gapsReported: () => undefined }, new SystemClock());
    await connections.commands.config('RESETSTAT');
    await queues.add(queueNamed('queue-late'), [jobOf()]);
    const { signal } = new AbortController();
    const after: EventPosition = { id: '0-0', queue: '' };
    let received = 0;
    const subscription = { queue: undefined, selection: {}, after };
    for await (const batch of all.subscribe(subscription, signal)) {
      received += batch.events.filter(({ name }) => name !== 'gap').length;
      if (received >= QUEUES * EVENTS_OF_EACH + 2) break;
    }
    expect(received).to.equal(QUEUES * EVENTS_OF_EACH + 2);
    const stats = await connections.commands.info('commandstats');
    for (const [, command, mean] of stats.matchAll(/cmdstat_(\S+):.*usec_per_call=([\d.]+)/g)) {
      expect(Number(mean), command).to.be.below(LONGEST);
    }
    // Nothing reports that a reading under way has ended: another one would follow within half a second.
    let [calls, before] = [await callsOf('xread'), -1];
    while (calls !== before) {
      await new SystemClock().sleep(600);
      [before, calls] = [calls, await callsOf('xread')];
    }
    expect(calls).to.be.greaterThan(0);
  });
});
