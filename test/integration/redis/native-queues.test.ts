import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { addOne, uniqueQueue } from '../../contracts/queue-steps.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

describeBesideNative('listing the queues of native BullMQ clients', (clients) => {
  const lists = async (queue: QueueName): Promise<boolean> =>
    (await clients.replica.queueDirectory.names()).includes(queue);

  // holds: queues.discover
  it('finds them when it is asked to look for them, and lists them from then on', async () => {
    const [queue, paused] = [uniqueQueue(), uniqueQueue()];
    await clients.queue(queue).add('job', 1);
    await clients.queue(paused).pause();
    expect([await lists(queue), await lists(paused)]).to.deep.equal([false, false]);
    await clients.replica.queueDirectory.discover();
    expect([await lists(queue), await lists(paused)]).to.deep.equal([true, true]);
  });

  // holds: queues.registry
  it('lists one from the first job on that is added here', async () => {
    const queue = uniqueQueue();
    await clients.queue(queue).add('job', 1);
    await addOne(clients.replica.queues, queue);
    expect(await lists(queue)).to.equal(true);
    const [glance] = await clients.replica.queueDirectory.glances([queue]);
    expect(glance?.counts).to.include({ waiting: 2 });
  });

  // holds: queues.registry
  it('lists none that a native client removed, until there is an add again', async () => {
    const queue = uniqueQueue();
    await addOne(clients.replica.queues, queue);
    await clients.queue(queue).obliterate();
    expect(await lists(queue)).to.equal(false);
    await addOne(clients.replica.queues, queue);
    expect(await lists(queue)).to.equal(true);
  });

  it('lists neither keys that are no queue, nor queues with names that clients may not use', async () => {
    const { commands } = clients;
    const [text, long] = [uniqueQueue(), 'x'.repeat(101)];
    await commands.set(`bull:${text}:meta`, 'text');
    await commands.hset(`bull:${long}:meta`, 'paused', '1');
    await commands.hset(`bull:a:b:meta`, 'paused', '1');
    await clients.replica.queueDirectory.discover();
    const names = await clients.replica.queueDirectory.names();
    expect(names).not.to.include.members([text]);
    expect(names).not.to.include.members([long]);
    expect(names.filter((name) => name.includes(':'))).to.deep.equal([]);
  });

  it('shows the others where the keys of one hold something else', async () => {
    const [broken, queue] = [uniqueQueue(), uniqueQueue()];
    for (const each of [broken, queue]) await addOne(clients.replica.queues, each);
    await clients.commands.del(`bull:${broken}:wait`);
    await clients.commands.set(`bull:${broken}:wait`, 'text');
    const glances = await clients.replica.queueDirectory.glances([broken, queue]);
    expect(glances.map((glance) => glance?.counts.waiting)).to.deep.equal([undefined, 1]);
  });
});
