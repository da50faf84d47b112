import { inspect } from 'node:util';
import { expect } from 'chai';
import { checkShape } from '../../../src/domain/values/check-shape.ts';
import {
  boolean,
  either,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  required,
  type Shaped,
} from '../../../src/domain/values/shape.ts';
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

  it('lets accepted values pass, and an optional field be absent', () => {
    checkShape(object('A', { a: required(integer(0), '') }), { a: 0 }, '');
    checkShape(object('A', { a: optional(integer(0), '') }), {}, '');
  });

  const size = object('Size', {
    width: required(integer(1), 'In pixels'),
    unit: optional(oneOf('px', 'em'), 'Of the width'),
  });

  it('accepts an object of its fields and no others', () => {
    for (const value of [{ width: 1 }, { unit: 'px', width: 2 }]) {
      expect(size.accepts(value)).to.equal(true);
    }
    const hidden: unknown = JSON.parse('{"width":1,"__proto__":1}');
    for (const value of [{}, { unit: 'px' }, { width: 1, more: 1 }, hidden, [], null, 'a']) {
      expect(size.accepts(value), inspect(value)).to.equal(false);
    }
  });

  it('lets a record have fields that it does not name', () => {
    checkShape(size, { width: 1, more: 1 }, '');
  });

  it('is one of several shapes, depending on the type of the value', () => {
    const width = either('number', integer(1), size);
    expect(width.accepts(5)).to.equal(true);
    expect(width.accepts({ width: 5 })).to.equal(true);
    expect(width.accepts('5')).to.equal(false);
    const check = (value: unknown) => rejection(() => checkShape(width, value, 'a'));
    expect(check(0)).to.equal('a must be an integer of at least 1');
    expect(check('5')).to.equal('a must be an object');
    expect(check({ width: 1, unit: 'cm' })).to.equal('a.unit must be px or em');
  });

  it('checks the names and values of a map', () => {
    const sizes = mapOf(oneOf('s', 'm'), size, 'be an object of sizes');
    expect(sizes.accepts({ s: { width: 1 } })).to.equal(true);
    expect(sizes.accepts({ x: { width: 1 } })).to.equal(false);
    const check = (value: unknown) => rejection(() => checkShape(sizes, value, 'a'));
    expect(check(5)).to.equal('a must be an object of sizes');
    expect(check({ x: { width: 1 } })).to.equal('a.x must be s or m');
    expect(check({ s: {} })).to.equal('a.s.width must be an integer of at least 1');
  });

  // holds: openapi.derived
  it('agrees with its JSON Schema', () => {
    expect(listOf(nullable(size)).schema).to.deep.equal({
      type: 'array',
      items: {
        anyOf: [
          {
            title: 'Size',
            type: 'object',
            properties: {
              width: {
                type: 'integer',
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'In pixels',
              },
              unit: { type: 'string', enum: ['px', 'em'], description: 'Of the width' },
            },
            required: ['width'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
    });
  });

  it('has the type of the values that it accepts', () => {
    const typed: Shaped<typeof size> = { width: 1 };
    // @ts-expect-error -- a field that must be there
    const without: Shaped<typeof size> = {};
    // @ts-expect-error -- a word that is not one of them
    const other: Shaped<typeof size> = { width: 1, unit: 'cm' };
    expect([typed, without, other].map((each) => size.accepts(each))).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
