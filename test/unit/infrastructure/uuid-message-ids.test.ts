import { expect } from 'chai';
import { sequenceNumber } from '../../../src/adapters/inbound/sqs/fields/sequence-number.ts';
import { UuidMessageIds } from '../../../src/infrastructure/uuid-message-ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

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

  it('has the time in them', () => {
    const [before, id, after] = [Date.now(), new UuidMessageIds().draw(), Date.now()];
    const time = parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time).to.be.within(before - 3, after + 3);
  });
});
