import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { Receipt } from '../../../src/domain/attempts/received.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  addEach,
  addOne,
  countsOf,
  read,
  statusOf,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { MessagesInTest } from '../../support/receives-in-test.ts';
import { rejection } from '../../support/rejection.ts';

const NEVER = (): AbortSignal => new AbortController().signal;

const receiptOf = ({ jobId, token, job }: Attempt): Receipt => ({
  jobId,
  token,
  receives: job.attemptsStarted,
});

describe('Receives', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let messages: MessagesInTest;
  let queue: QueueName;

  beforeEach(async () => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    messages = new MessagesInTest(stores, stores.signals, clock);
    queue = uniqueQueue();
    await messages.start();
    await clock.advance(0);
  });
  afterEach(() => messages.stop());

  const receive = async (visibility?: number): Promise<Attempt> => {
    const input = visibility === undefined ? {} : { visibility };
    const [attempt] = await messages.receives.receive(queue, input, NEVER);
    if (attempt === undefined) throw new Error('No message');
    return attempt;
  };
  const codeOf = async (failing: Promise<unknown>): Promise<string | undefined> => {
    const error: Error = await rejection(failing);
    return error instanceof DomainError ? error.code : undefined;
  };
  const state = async (id: string): Promise<string> => (await read(stores.queues, queue, id)).state;

  // holds: messages.visible
  it('have their messages visible again within 50 ms of the end of their time', async () => {
    const { id } = await addOne(stores.queues, queue);
    await receive(1500);
    await clock.advance(1499);
    expect(await state(id)).to.equal('active');
    await clock.advance(51);
    expect(await state(id)).to.equal('waiting');
    messages.policy = { messages: { visibility: 700 } };
    const { job } = await receive();
    expect(job.attemptsStarted).to.equal(2);
    await clock.advance(750);
    expect(await state(id)).to.equal('waiting');
  });

  // holds: messages.visible
  it('have them visible again within 5 s when the replica that handed them out is gone', async () => {
    const other = new MessagesInTest(stores, stores.signals, clock);
    await other.start();
    await clock.advance(0);
    const { id } = await addOne(stores.queues, queue);
    await receive(1000);
    await messages.stop();
    await clock.advance(6000);
    expect(await state(id)).to.equal('waiting');
    await other.stop();
  });

  it('get as many messages, after as long a wait, as the client or else the policy says', async () => {
    await addEach(stores.queues, queue, {}, {}, {});
    const { receives } = messages;
    expect(await receives.receive(queue, { count: 10 }, NEVER)).to.have.length(3);
    messages.policy = { messages: { wait: 1000 } };
    const waiting = receives.receive(queue, {}, NEVER);
    await clock.advance(900);
    await addOne(stores.queues, queue);
    expect(await waiting).to.have.length(1);
    const empty = receives.receive(queue, {}, NEVER);
    await clock.advance(1000);
    expect(await empty).to.deep.equal([]);
    const refused = await rejection(receives.receive(queue, { count: 11 }, NEVER));
    expect(refused.message).to.equal('count must be an integer from 1 to 10');
  });

  // holds: messages.change
  it('end later or earlier as the client says, at most 12 hours after they began', async () => {
    const { id } = await addOne(stores.queues, queue);
    const attempt = await receive(1000);
    await messages.receives.changeVisibility(queue, attempt, 20_000);
    await clock.advance(19_000);
    expect(await state(id)).to.equal('active');
    await messages.receives.changeVisibility(queue, attempt, 100);
    await clock.advance(150);
    expect(await state(id)).to.equal('waiting');
    const again = await receive();
    await clock.advance(1000);
    const { receives } = messages;
    await receives.changeVisibility(queue, again, 43_199_000);
    const refused = await rejection(receives.changeVisibility(queue, again, 43_199_001));
    expect(refused).to.include({
      message: 'visibility must end at most 43200000 ms after the receive',
      field: 'visibility',
    });
  });

  // holds: messages.change
  it('end at once for a receiver that waits', async () => {
    const { id } = await addOne(stores.queues, queue);
    const attempt = await receive();
    const waiting = messages.receives.receive(queue, { wait: 20_000 }, NEVER);
    await clock.advance(10);
    await messages.receives.changeVisibility(queue, attempt, 0);
    const [again] = await waiting;
    expect(again?.job).to.include({ id, attemptsStarted: 2 });
  });

  it('change nothing of a message that is not in flight', async () => {
    const { receives } = messages;
    await addOne(stores.queues, queue);
    const attempt = await receive(100);
    await clock.advance(150);
    for (const visibility of [0, 5000]) {
      const change = receives.changeVisibility(queue, attempt, visibility);
      expect(await codeOf(change)).to.equal('message-not-in-flight');
    }
    const next = await receive();
    expect(await codeOf(receives.changeVisibility(queue, attempt, 0))).to.equal(
      'message-not-in-flight',
    );
    for (const jobId of ['none', 'meta']) {
      const change = receives.changeVisibility(queue, { jobId, token: attempt.token }, 5);
      expect(await codeOf(change)).to.equal('message-not-in-flight');
    }
    await receives.changeVisibility(queue, next, 5000);
  });

  // holds: messages.redrive
  it('end in the dead letter queue of the policy at that moment', async () => {
    const dead = uniqueQueue();
    const { id } = await addOne(stores.queues, queue, { jobId: 'letter' });
    const first = await receive(100);
    await clock.advance(150);
    expect(first.job.attemptsStarted).to.equal(1);
    messages.policy = { messages: { redrive: { maxReceives: 2, queue: dead } } };
    const second = await receive();
    await messages.receives.changeVisibility(queue, second, 0);
    expect(await read(stores.queues, queue, id)).to.include({
      state: 'failed',
      failedReason: 'Received 2 times',
    });
    expect((await take(stores.attempts, dead)).jobId).to.equal('letter');
  });

  // holds: messages.delete
  it('end when the message is deleted, which may be said again', async () => {
    const { id } = await addOne(stores.queues, queue);
    const receipt = receiptOf(await receive());
    await messages.receives.delete(queue, receipt);
    expect(await read(stores.queues, queue, id)).to.include({ state: 'completed' });
    await messages.receives.delete(queue, receipt);
    await clock.advance(120_000);
    await messages.receives.delete(queue, receipt);
    await messages.receives.delete(queue, { ...receipt, jobId: 'none' });
    await messages.receives.delete(queue, { ...receipt, jobId: 'meta' });
    expect(await state(id)).to.equal('completed');
  });

  // holds: messages.delete
  it('delete a message that is visible again until the next receive', async () => {
    await addOne(stores.queues, queue, { jobId: 'letter' });
    const first = receiptOf(await receive(100));
    await clock.advance(150);
    const second = receiptOf(await receive(100));
    await messages.receives.delete(queue, first);
    expect(await state('letter')).to.equal('active');
    await clock.advance(150);
    await messages.receives.delete(queue, first);
    expect(await state('letter')).to.equal('waiting');
    await messages.receives.delete(queue, second);
    expect(await statusOf(stores.queues, queue, 'letter')).to.deep.equal([]);
  });

  // holds: messages.delete
  it('delete none in a queue in order once their time is over', async () => {
    messages.policy = { messages: { fifo: true }, groups: { ordered: 'skip', concurrency: 1 } };
    const { id } = await addOne(stores.queues, queue, { group: { id: 'a' } });
    const receipt = receiptOf(await receive(100));
    await clock.advance(150);
    expect(await codeOf(messages.receives.delete(queue, receipt))).to.equal('receipt-expired');
    await messages.receives.delete(queue, receiptOf(await receive()));
    expect(await state(id)).to.equal('completed');
    await clock.advance(120_000);
    await messages.receives.delete(queue, receipt);
  });

  it('are given back when they did not reach their client', async () => {
    await addEach(stores.queues, queue, {}, {});
    const attempts = await messages.receives.receive(queue, { count: 2 }, NEVER);
    await messages.receives.giveBack(queue, attempts);
    expect(await countsOf(stores.queues, queue)).to.include({ waiting: 2, active: 0 });
    expect((await receive()).jobId).to.equal(attempts[0]?.jobId);
  });
});
