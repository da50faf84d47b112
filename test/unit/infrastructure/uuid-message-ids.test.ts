import { expect } from 'chai';
import { sequenceNumber } from '../../../src/adapters/inbound/sqs/fields/sequence-number.ts';
import { UuidMessageIds } from '../../../src/infrastructure/uuid-message-ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The time (ms) that an id has in it. */
const timeOf = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('UuidMessageIds', () => {
  it('draws UUIDs of version 7, each greater than the one before', () => {
    const ids = new UuidMessageIds();
    const drawn = Array.from({ length: 5000 }, () => ids.draw());
    expect(drawn.filter((id) => !UUID.test(id))).to.deep.equal([]);
    expect(drawn).to.deep.equal([...drawn].sort());
    const numbers = drawn.map((id) => sequenceNumber(id) ?? '');
    expect(new Set(numbers)).to.have.property('size', drawn.length);
    expect(numbers).to.deep.equal([...numbers].sort());
    expect(numbers.filter((number) => !/^\d{20}$/.test(number))).to.deep.equal([]);
  });

  it('has the time in them, to the millisecond', () => {
    const ids = new UuidMessageIds();
    for (let n = 0; n < 200; n += 1) {
      const [before, id, after] = [Date.now(), ids.draw(), Date.now()];
      expect(timeOf(id)).to.be.within(before, after);
    }
  });
});
