import { inspect } from 'node:util';
import { expect } from 'chai';
import { checkShape } from '../../../src/domain/check-shape.ts';
import { boolean, integer, object, oneOf, optional, required } from '../../../src/domain/shape.ts';
import { rejection } from './rejection.ts';

const NOT_NUMBERS = ['5', '', null, undefined, true, [], [5], {}, 5n, new Number(5)];

describe('shape', () => {
  it('accepts integers within its range only', () => {
    const shape = integer(2, 5);
    for (const value of [2, 3, 5, 5.0]) expect(shape.accepts(value), String(value)).to.equal(true);
    for (const value of [1, 6, -3, 2.5, NaN, Infinity, -Infinity, ...NOT_NUMBERS]) {
      expect(shape.accepts(value), inspect(value)).to.equal(false);
    }
  });

  it('accepts integers that stay exact when it has no upper bound', () => {
    const shape = integer(0);
    for (const value of [0, -0, 1, Number.MAX_SAFE_INTEGER]) {
      expect(shape.accepts(value), String(value)).to.equal(true);
    }
    for (const value of [-1, Number.MAX_SAFE_INTEGER + 1, 1e300, 0.1, Infinity]) {
      expect(shape.accepts(value), String(value)).to.equal(false);
    }
  });

  it('accepts one of the given strings only', () => {
    const shape = oneOf('a', 'b', 'c');
    for (const value of ['a', 'b', 'c']) expect(shape.accepts(value)).to.equal(true);
    for (const value of ['', 'A', ' a', 'ab', 0, null, undefined, ['a'], { a: 1 }]) {
      expect(shape.accepts(value), JSON.stringify(value)).to.equal(false);
    }
  });

  it('accepts true and false only as a boolean', () => {
    for (const value of [true, false]) expect(boolean.accepts(value)).to.equal(true);
    for (const value of ['true', 0, 1, null, undefined, new Boolean(true)]) {
      expect(boolean.accepts(value)).to.equal(false);
    }
  });

  for (const [shape, message] of [
    [integer(1), 'opts.a must be an integer of at least 1'],
    [integer(0, 7), 'opts.a must be an integer from 0 to 7'],
    [oneOf('a', 'b'), 'opts.a must be a or b'],
    [oneOf('a', 'b', 'c'), 'opts.a must be a, b or c'],
    [boolean, 'opts.a must be true or false'],
  ] as const) {
    it(`says "${message}"`, () => {
      const needed = object('A', { a: required<unknown>(shape, '') });
      const free = object('A', { a: optional<unknown>(shape, '') });
      expect(rejection(() => checkShape(needed, { a: 'x' }, 'opts'))).to.equal(message);
      expect(rejection(() => checkShape(free, { a: 'x' }, 'opts'))).to.equal(message);
      expect(rejection(() => checkShape(needed, {}, 'opts'))).to.equal(message);
      expect(rejection(() => checkShape(free, { a: null }, 'opts'))).to.equal(message);
    });
  }

  it('lets what it accepts pass, and an optional field be absent', () => {
    checkShape(object('A', { a: required(integer(0), '') }), { a: 0 }, '');
    checkShape(object('A', { a: optional(integer(0), '') }), {}, '');
  });
});
