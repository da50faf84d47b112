import { expect } from 'chai';
import { memoryCollection } from '../../../src/adapters/outbound/memory/ports/memory-collection.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { LIMITS } from '../../../src/application/kept/limits.ts';
import { Limits } from '../../../src/application/limits/limits.ts';
import { rejection } from '../../support/rejection.ts';

describe('Limits', () => {
  // holds: limits.stored
  it('put back a limit that a policy named while it was removed', async () => {
    const kept = memoryCollection(new StoreRecords(), LIMITS);
    const answers = [undefined, 'mail', undefined, undefined];
    const limits = new Limits({
      limits: kept,
      limitUse: { uses: () => Promise.resolve([]), queuesAt: () => Promise.resolve([]) },
      policies: { namingLimit: () => Promise.resolve(answers.shift()) },
      signals: { send: () => undefined },
    });
    await limits.put('openai', { concurrency: 2 });
    const refused = await rejection(limits.remove('openai'));
    expect(refused.message).to.equal('The policy of mail names the limit openai');
    expect(await kept.find('openai')).to.deep.equal({ concurrency: 2 });
    await limits.remove('openai');
    expect(await kept.find('openai')).to.equal(undefined);
  });
});
