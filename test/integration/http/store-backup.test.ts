import { expect } from 'chai';
import { StoreBackups } from '../../../src/application/system/store-backups.ts';
import { HttpService } from './support/http-service.ts';

describe('Backups of the store', () => {
  // holds: store.backup
  it('are refused for a store that is no file', async () => {
    const service = await new HttpService({
      replace: { storeBackups: new StoreBackups(undefined) },
    }).start();
    const { status, text } = await service.request('POST', '/store/backup');
    await service.stop();
    expect([status, text]).to.deep.equal([
      409,
      'Only the embedded store has backups: back up Redis by its own means, and memory keeps nothing',
    ]);
  });

  it('can be made again once one has failed', async () => {
    let calls = 0;
    const backups = new StoreBackups({
      backUp: () => Promise.reject(new Error(`failure ${(calls += 1)}`)),
    });
    const { signal } = new AbortController();
    for (const number of [1, 2]) {
      const error = await backups.make(signal).catch((reason: unknown) => reason);
      expect(error).to.have.property('message', `failure ${number}`);
    }
  });
});
