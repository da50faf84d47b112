import { expect } from 'chai';
import { RECORDED } from '../../../src/adapters/outbound/redis/layout/attempt-lines.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { process as processNext, read, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

const LONG = 'x'.repeat(1024);
const COMPLETED: AttemptEnding = {
  kind: 'completed',
  returnvalue: 'done',
  call: { outcome: 'completed', status: 200, response: 'done' },
};
const RETRIED: AttemptEnding = {
  kind: 'retry',
  reason: 'it broke',
  delay: 0,
  call: { outcome: 'failed', status: 500, response: LONG },
};

describeBesideNative('attempts on record beside native BullMQ clients', (native) => {
  // holds: attempts.not-shown
  it('are ignored by native clients, and go with a job that one removes', async () => {
    const name = uniqueQueue();
    const { attempts, queues } = native.replica;
    const queue = native.queue(name);
    const { id } = await queue.add('job', { a: 1 }, { attempts: 3 });
    await processNext(attempts, name, RETRIED);
    await processNext(attempts, name, COMPLETED);
    const job = (await queue.getJob(id!))!;
    expect(job).to.deep.include({ returnvalue: 'done', data: { a: 1 }, attemptsMade: 2 });
    expect(JSON.stringify(job.toJSON())).not.to.contain('xxx');
    await job.remove();
    expect(await native.commands.keys(`bull:${name}:${id}*`)).to.deep.equal([]);
    expect(await queues.attempts(name, id!)).to.equal(undefined);
  });

  // holds: attempts.last-ten
  it('count on after a native client has retried the job', async () => {
    const name = uniqueQueue();
    const { attempts, queues } = native.replica;
    const queue = native.queue(name);
    const { id } = await queue.add('job', 1);
    await processNext(attempts, name, COMPLETED);
    await (await queue.getJob(id!))!.retry('completed');
    await processNext(attempts, name, COMPLETED);
    const found = (await queues.attempts(name, id!))!;
    expect(found.count).to.equal(2);
    expect(found.attempts.map(({ response }) => response)).to.deep.equal(['done', 'done']);
  });

  // holds: attempts.last-ten
  it('take no more than their ten lines', async () => {
    const name = uniqueQueue();
    const { attempts } = native.replica;
    const { id } = await native.queue(name).add('job', 1, { attempts: 50 });
    for (let made = 0; made < 15; made += 1) await processNext(attempts, name, RETRIED);
    const bytes = await native.commands.hstrlen(`bull:${name}:${id}`, RECORDED);
    expect(bytes).to.be.below(12_000);
  });

  for (const text of [
    '',
    'x',
    '[]',
    '{}',
    'null',
    '[1,2,3,"q",4,"r"]',
    '\n\n',
    '["a",1,2,"c",200,"r"]',
  ]) {
    // holds: security.broken-record
    it(`go on after what cannot be read: ${JSON.stringify(text)}`, async () => {
      const name = uniqueQueue();
      const { attempts, queues } = native.replica;
      const { id } = await native.queue(name).add('job', 1, { attempts: 9 });
      await native.commands.hset(`bull:${name}:${id}`, RECORDED, text);
      await processNext(attempts, name, RETRIED);
      await processNext(attempts, name, COMPLETED);
      const { attempts: found } = (await queues.attempts(name, id!))!;
      expect(found.slice(-2).map(({ outcome }) => outcome)).to.deep.equal(['failed', 'completed']);
      expect(found.length).to.be.at.most(2);
      expect((await read(queues, name, id!)).state).to.equal('completed');
    });
  }

  // holds: attempts.not-shown
  it('do not travel with the jobs that are read, listed or taken', async () => {
    const name = uniqueQueue();
    const { attempts, queues } = native.replica;
    const { id } = await native.queue(name).add('job', 1, { attempts: 50 });
    for (let made = 0; made < 9; made += 1) await processNext(attempts, name, RETRIED);
    // Of this connection alone: others use the store at the same time.
    const received = (): number => native.commands.stream.bytesRead;
    const before = received();
    await read(queues, name, id!);
    await queues.list(name, { statuses: ['waiting'], start: 0, length: 10 });
    await take(attempts, name);
    expect(received() - before).to.be.below(8000);
    expect((await queues.attempts(name, id!))!.attempts).to.have.length(9);
  });
});
