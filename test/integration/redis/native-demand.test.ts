import { expect } from 'chai';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import { demandOf, type Demand } from '../../../src/domain/queues/demand.ts';
import { addLetters } from '../../contracts/groups/group-steps.ts';
import { HOUR } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

describeBesideNative('the demand beside native BullMQ clients', (clients) => {
  async function demand(groups?: GroupDefaults): Promise<Demand> {
    const [facts] = await clients.replica.demand.facts([{ queue: clients.name, groups }]);
    if (facts === undefined) throw new Error('The queue does not exist');
    return demandOf(facts, { hasBreaker: false, window: undefined });
  }

  // holds: demand.native
  it('counts their jobs from the keys of BullMQ', async () => {
    const queue = clients.queue();
    await queue.add('plain', {});
    await queue.add('first', {}, { priority: 2 });
    await queue.add('later', {}, { delay: HOUR });
    await queue.add('soon', {}, { delay: 1 });
    const counted = await eventually('the delayed job is due', async () => {
      const now = await demand();
      return now.due === 1 && now;
    });
    expect(counted).to.include({ demand: 3, waiting: 2, active: 0 });
    await queue.pause();
    expect(await demand()).to.include({ demand: 0 });
    await queue.resume();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    clients.worker(clients.name, () => ended, { concurrency: 2 });
    await eventually('two jobs run', async () => (await demand()).active === 2);
    expect(await demand()).to.include({ demand: 3 });
    end();
    await eventually('all jobs have ended', async () => (await demand()).demand === 0);
  });

  // holds: demand.native
  it('counts a job that is staged for them once, against the limit of its group', async () => {
    const { queues, nativeTurns } = clients.replica;
    const one = { concurrency: 1 };
    await addLetters(queues, clients.name, 'aaab');
    expect(await demand(one)).to.include({ demand: 2 });
    await nativeTurns.stage(clients.name, one);
    expect(await clients.commands.llen(`bull:${clients.name}:wait`)).to.equal(1);
    expect(await demand(one)).to.include({ demand: 2, waiting: 2 });
    await addLetters(queues, clients.name, 'ab');
    expect(await demand(one)).to.include({ demand: 2, waiting: 2 });
  });

  // holds: demand.native
  it('follows their workers through the jobs of groups with limits', async () => {
    const { queues, nativeTurns } = clients.replica;
    const one = { concurrency: 1 };
    await addLetters(queues, clients.name, 'aaaabb');
    expect(await demand(one)).to.include({ demand: 2 });
    clients.worker(clients.name, () => Promise.resolve());
    await eventually('all jobs have ended', async () => {
      const { demand: left } = await demand(one);
      expect(left).to.be.at.most(3);
      await nativeTurns.stage(clients.name, one);
      return left === 0 && (await clients.queue().getCompletedCount()) === 6;
    });
    expect(await demand(one)).to.include({ demand: 0 });
  });
});
