import { expect } from 'chai';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import { inGroup, within } from '../../contracts/groups/group-steps.ts';
import { claimOf, jobOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

const GROUPS = 2500;

/** A claim whose worker may run all jobs. */
const allWithin = (groups: GroupDefaults): ClaimRequest =>
  claimOf({ ...within(groups), concurrency: 2 * GROUPS });

describe('other defaults of a queue with many parked groups', () => {
  let connections: TestConnections;
  let replica: RedisReplica;
  const queue = uniqueQueue();

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    replica = redisReplica(connections);
  });

  after(async () => {
    await replica.queueControl.remove(queue, true);
    connections.close();
  });

  /** Groups that no run has freed. */
  const blocked = (): Promise<number> =>
    connections.commands.zcount(`bull:${queue}:jobgate:group-parked`, '(1', '+inf');

  /** Starts jobs until none may start. @returns how many. */
  async function started(groups: GroupDefaults): Promise<number> {
    for (let count = 0; ; count += 100) {
      const claims = Array.from({ length: 100 }, () =>
        replica.attempts.claim(queue, allWithin(groups)),
      );
      for (const [index, claim] of (await Promise.all(claims)).entries()) {
        const mayGoOn = claim.kind === 'attempt' || (claim.kind === 'idle' && claim.nextAt === 1);
        if (!mayGoOn) return count + index;
      }
    }
  }

  // holds: groups.steps
  it('free 1,000 of them with each run, until none is left', async function () {
    this.timeout(60_000);
    const each = Array.from({ length: GROUPS }, (_, group) => jobOf(inGroup(`g${group}`)));
    await replica.queues.add(queue, [...each, ...each]);
    expect(await started({ concurrency: 1 })).to.equal(GROUPS);
    expect(await blocked()).to.equal(GROUPS);
    const two = { concurrency: 2 };
    const { kind } = await replica.attempts.claim(queue, allWithin(two));
    expect([kind, await blocked()]).to.deep.equal(['attempt', GROUPS - 1000]);
    expect(await started(two)).to.equal(GROUPS - 1);
  });
});
