import { expect } from 'chai';
import { domainFailure } from '../../../src/adapters/inbound/sqs/wire/domain-failure.ts';
import { isRefusal } from '../../../src/application/messages/outcome.ts';
import { memoryFull } from '../../../src/domain/errors.ts';

describe('an error of SQS', () => {
  // holds: store.full-memory
  it('is OverLimit for the whole call when the memory is full', () => {
    const full = memoryFull({ used: 412 * 1_048_576, limit: 512 * 1_048_576 });
    expect(domainFailure(full)).to.include({
      error: 'OverLimit',
      status: 403,
      message: 'The memory is full: 412 of 512 MB; remove jobs or give the process more',
    });
    // Only refusals are of one message of a batch.
    expect(isRefusal(full)).to.equal(false);
  });
});
