import { expect } from 'chai';
import { CallMemory } from '../../../src/adapters/outbound/webhook/call-memory.ts';
import { ReplicaShortageError } from '../../../src/application/ports/webhook-port.ts';
import { rejection } from '../../support/rejection.ts';
import { SettableHeap } from '../../support/settable-heap.ts';

const MEGABYTE = 1_048_576;

describe('CallMemory', () => {
  let heap: SettableHeap;
  let memory: CallMemory;

  beforeEach(() => {
    heap = new SettableHeap();
    memory = new CallMemory(heap);
  });

  it('makes a few calls alone while the heap is nearly full, garbage aside', async () => {
    const ends: (() => void)[] = [];
    const call = () => memory.run(() => new Promise<void>((resolve) => ends.push(resolve)));
    heap.set(440);
    const few = [call(), call(), call(), call()];
    const refused = await rejection(call());
    expect(refused).to.be.instanceOf(ReplicaShortageError);
    expect(refused).to.have.property('message', 'The memory is nearly used up');
    heap.set(400, 100);
    const another = call();
    expect(heap.collections, 'once for each that found no room').to.equal(2);
    for (const end of ends) end();
    await Promise.all([...few, another]);
    heap.set(440);
    await memory.run(() => Promise.resolve());
  });

  it('has large answers read in their order, as far as they fit, and small ones at once', async () => {
    heap.set(400);
    const read: number[] = [];
    const answers = [1, 2, 3].map(async (number) => {
      await memory.roomFor(5 * MEGABYTE);
      read.push(number);
    });
    await answers[0];
    expect(read).to.deep.equal([1]);
    expect(memory.roomFor(65_536)).to.equal(undefined);
    await Promise.all(answers);
    expect(read).to.deep.equal([1, 2, 3]);
  });

  it('has the next answer wait until the heap has room', async () => {
    heap.set(440);
    let isRead = false;
    const answer = memory.roomFor(MEGABYTE)?.then(() => (isRead = true));
    await new Promise(setImmediate);
    expect(isRead).to.equal(false);
    heap.set(100);
    await answer;
    expect(isRead).to.equal(true);
  });
});
