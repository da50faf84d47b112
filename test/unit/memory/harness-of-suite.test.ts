import { expect } from 'chai';
import { harnessOfSuite } from '../../contracts/harness-of-suite.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { rejection } from '../../support/rejection.ts';

describe('The harness of a suite', () => {
  const current = harnessOfSuite(() => Promise.resolve(memoryQueueHarness()));
  let ofEndedTest: QueueHarness;

  it('advances its clock for the running test', async () => {
    ofEndedTest = current();
    const before = ofEndedTest.now();
    await ofEndedTest.advance(1000);
    expect(ofEndedTest.now() - before).to.equal(1000);
  });

  it('does not advance its clock for a test that has ended', async () => {
    const { now } = current();
    const before = now();
    const error = await rejection(ofEndedTest.advance(1000));
    expect(error.message).to.equal('The test has ended');
    expect(now()).to.equal(before);
  });
});
