import { expect } from 'chai';
import { DatabaseError } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { Folding } from '../../../src/adapters/outbound/postgres/log/folding.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

describe('the folding of the log', () => {
  async function failing(error: Error, times = 1) {
    const logger = new RecordingLogger();
    const folding = new Folding({ fold: () => Promise.reject(error) }, logger, () => undefined);
    for (let time = 0; time < times; time += 1) await folding.fold();
    const errors = logger.lines.filter(({ level }) => level === 'error');
    return { isFailing: folding.isFailing, errors: errors.length };
  }

  for (const state of [undefined, '08006', '53300', '57P01', '57P03']) {
    it(`is not reported while the server is away: ${state ?? 'no answer'}`, async () => {
      const error = new DatabaseError('away', state, undefined);
      expect(await failing(error)).to.deep.equal({ isFailing: false, errors: 0 });
    });
  }

  for (const state of ['22P05', '42501', '53100', '57014']) {
    // holds: store.postgres-folding
    it(`is reported once when the server refuses it: ${state}`, async () => {
      const error = new DatabaseError('refused', state, undefined);
      expect(await failing(error, 3)).to.deep.equal({ isFailing: true, errors: 1 });
    });
  }
});
