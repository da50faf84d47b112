import { expect } from 'chai';
import { readId, writtenId } from '../../../src/adapters/outbound/memory/records/record-ids.ts';

describe('the ids of records', () => {
  it('are written as they are', () => {
    for (const id of ['1', 'repeat:report:1', 'Straße', '["1","mail","2"]', '']) {
      expect(writtenId(id)).to.equal(id);
      expect(readId(id)).to.equal(id);
    }
  });

  it('are the same when they are read, whatever a client put into them', () => {
    for (const id of ['a\0b', '\0', '"quoted"', '"', 'lone \ud800', '\udc00']) {
      expect(writtenId(id)).to.not.match(/\0/);
      expect(writtenId(id).isWellFormed()).to.equal(true);
      expect(readId(writtenId(id))).to.equal(id);
    }
  });
});
