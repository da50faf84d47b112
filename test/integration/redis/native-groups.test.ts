import { expect } from 'chai';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { NativeTurns } from '../../../src/application/groups/native-turns.ts';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import { addLetters, letterOf, within } from '../../contracts/groups/group-steps.ts';
import { claimOf, COMPLETED, HOUR, retryAfter, take } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { eventually } from '../../support/eventually.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';

/** Letters of groups, in the order in which their jobs started. */
type Letters = string[];

describeBesideNative('groups beside native BullMQ clients', (clients) => {
  let staging: Rounds | undefined;

  afterEach(async () => {
    await staging?.stop();
    staging = undefined;
  });

  /** Has a replica look for native workers. */
  async function look(groups?: GroupDefaults): Promise<void> {
    const endpoint = { url: 'http://localhost/', method: 'post' };
    const worker = { queue: clients.name, endpoint, opts: groups && { groups } };
    const clock = new SystemClock();
    const turns = new NativeTurns({
      turns: clients.replica.nativeTurns,
      workers: { workerOf: () => Promise.resolve(worker as never) },
      policies: noPolicies,
      clock,
    });
    staging = new Rounds(turns, clock, silentLogger);
    await staging.start();
  }

  /** A processor that notes the groups of its jobs. */
  function noting(started: Letters) {
    return ({ opts }: { readonly opts: object }) => {
      const { group } = opts as { readonly group?: { readonly id: string } };
      started.push(group?.id ?? '-');
      return Promise.resolve();
    };
  }

  function keysOfGroups(): Promise<string[]> {
    return clients.commands.keys(`bull:${clients.name}:jobgate:group-[^s]*`);
  }

  for (const version of [6, 5]) {
    // holds: groups.native
    it(`have workers of BullMQ ${version} take jobs in turns, and leave no key`, async () => {
      await addLetters(clients.replica.queues, clients.name, 'aaaabb');
      const started: Letters = [];
      await look();
      if (version === 5) clients.formerWorker(clients.name, noting(started));
      else clients.worker(clients.name, noting(started));
      await eventually('all jobs start', () => Promise.resolve(started.length === 6));
      expect(started.join('')).to.equal('ababaa');
      await eventually('no key is left', async () => (await keysOfGroups()).length === 0);
    });
  }

  it('count a job that is staged once, as one of its group that waits', async () => {
    const { queues, groups, nativeTurns } = clients.replica;
    await addLetters(queues, clients.name, 'aab-');
    await nativeTurns.stage(clients.name, undefined);
    expect(await clients.commands.llen(`bull:${clients.name}:wait`)).to.equal(2);
    const listed = await collected(groups.list(clients.name, undefined));
    expect(listed.map(({ id, waiting }) => `${id}${waiting}`)).to.deep.equal(['1', 'a2', 'b1']);
    expect(await clients.queue().getWaitingCount()).to.equal(2);
  });

  it('hand a staged job to claims in its turn, and behind one of a higher priority', async () => {
    const { queues, attempts, nativeTurns } = clients.replica;
    await addLetters(queues, clients.name, 'abab');
    let letters = '';
    for (let turn = 0; turn < 4; turn += 1) {
      await nativeTurns.stage(clients.name, undefined);
      const attempt = await take(attempts, clients.name);
      letters += letterOf(attempt);
      await attempts.settle(clients.name, attempt, COMPLETED);
    }
    expect(letters).to.equal('abab');
    expect(await keysOfGroups()).to.deep.equal([]);
  });

  it('take a staged job back when its group is held, paused or limited', async () => {
    const { queues, groups, nativeTurns } = clients.replica;
    await addLetters(queues, clients.name, 'a');
    const changes = [
      () => groups.pause(clients.name, 'a'),
      () => groups.hold(clients.name, 'a', HOUR),
    ];
    for (const change of changes) {
      await nativeTurns.stage(clients.name, undefined);
      expect(await clients.queue().getWaitingCount()).to.equal(1);
      await change();
      expect(await clients.queue().getWaitingCount()).to.equal(0);
      await groups.resume(clients.name, 'a');
    }
  });

  it('follow the order that the last claim said, where the replica that looks for them has not heard of it', async () => {
    const { queues, attempts, nativeTurns } = clients.replica;
    await addLetters(queues, clients.name, 'aa');
    const ordered = within({ ordered: 'skip' });
    const first = await take(attempts, clients.name, ordered);
    await nativeTurns.stage(clients.name, undefined);
    await attempts.settle(clients.name, first, retryAfter(HOUR));
    const { kind } = await attempts.claim(clients.name, claimOf(ordered));
    expect(kind).not.to.equal('attempt');
  });

  it('count jobs on native workers for the limits of groups, and go on when these end', async () => {
    const { queues, attempts } = clients.replica;
    await addLetters(queues, clients.name, 'aa');
    const limits = { concurrency: 1 };
    const ends: (() => void)[] = [];
    await look(limits);
    clients.worker(clients.name, () => new Promise<void>((resolve) => ends.push(resolve)));
    await eventually('one starts', () => Promise.resolve(ends.length === 1));
    const claim = await attempts.claim(clients.name, claimOf(within(limits)));
    expect(claim.kind).not.to.equal('attempt');
    ends[0]?.();
    await eventually('the other one starts', () => Promise.resolve(ends.length === 2));
    ends[1]?.();
  });
});
