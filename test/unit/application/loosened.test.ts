import { expect } from 'chai';
import { loosenedFields } from '../../../src/application/operations/answers/loosened.ts';
import { retentionShape } from '../../../src/domain/jobs/job-retention.ts';
import {
  boolean,
  either,
  integer,
  numberFrom,
  object,
  oneOf,
  optional,
  required,
  text,
  type Shape,
} from '../../../src/domain/values/shape.ts';

function loosened(shape: Shape<unknown>): Shape<unknown> {
  return loosenedFields({ value: required(shape, 'A value') }).value.shape;
}

describe('Loosened fields', () => {
  it('keep only the type of a value', () => {
    expect(loosened(integer(1, 5)).schema).to.deep.equal({ type: 'number' });
    expect(loosened(numberFrom(0, 1)).schema).to.deep.equal({ type: 'number' });
    expect(loosened(boolean).schema).to.deep.equal({ type: 'boolean' });
    const short = text('be short', (value) => value.length < 3, { maxLength: 2 });
    expect(loosened(short).schema).to.deep.equal({ type: 'string' });
  });

  it('keep the values of an enum, as the document lists them', () => {
    expect(loosened(oneOf('a', 'b')).schema).to.deep.equal({ type: 'string', enum: ['a', 'b'] });
  });

  it('require what was required, but nothing of an object inside', () => {
    const inner = object('Inner', { size: required(integer(1), 'Its size') });
    const fields = loosenedFields({
      needed: required(inner, 'Needed'),
      other: optional(inner, 'Other'),
    });
    expect(fields.needed.isRequired).to.equal(true);
    expect(fields.other.isRequired).to.equal(false);
    expect(fields.needed.shape.schema).to.deep.equal({
      title: 'Inner',
      type: 'object',
      properties: { size: { type: 'number', description: 'Its size' } },
      additionalProperties: false,
    });
    expect(fields.needed.shape.accepts({ size: -0.5 })).to.equal(true);
    expect(fields.needed.shape.accepts({})).to.equal(true);
    expect(fields.needed.shape.accepts({ size: '1' })).to.equal(false);
  });

  it('loosen every alternative', () => {
    const shape = loosened(either('boolean', boolean, integer(1)));
    expect(shape.schema).to.deep.equal({ anyOf: [{ type: 'boolean' }, { type: 'number' }] });
    for (const value of [true, -0.5]) expect(shape.accepts(value), String(value)).to.equal(true);
    expect(shape.accepts('1')).to.equal(false);
  });

  it('have the description of a stored value', () => {
    const { one, other } = loosenedFields({
      one: optional(integer(0), 'The wait; none unless given', 'The wait'),
      other: optional(integer(0), 'The size'),
    });
    expect([one.description, other.description]).to.deep.equal(['The wait', 'The size']);
  });

  it('have another title if answers also contain the exact shape', () => {
    expect(loosened(retentionShape).schema['title']).to.equal('JobRetention');
  });
});
