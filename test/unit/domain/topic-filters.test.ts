import { expect } from 'chai';
import type { DomainError } from '../../../src/domain/errors.ts';
import { compiledFilter, type Filter } from '../../../src/domain/topics/filter.ts';
import { MatchedMessage } from '../../../src/domain/topics/matched-message.ts';
import type { Json } from '../../../src/domain/values/json.ts';

type Row = readonly [listed: Json, data: Json, isMatch: boolean];

const order: Json = {
  id: 17,
  total: 12.5,
  paid: true,
  note: null,
  customer: { country: 'de', tags: ['vip', 'new'], address: { zip: '10115' }, age: 0 },
  items: [{ sku: 'a1', qty: 2 }, { sku: 'b2', qty: 5, gift: true }, 'loose', null],
  empty: {},
  none: [],
  nested: [[1, [2]], [{ deep: 'x' }]],
  text: '',
};

/** By the path, what a filter lists for it, and whether the order matches. */
const OF_ORDER: Readonly<Record<string, readonly (readonly [listed: Json, isMatch: boolean])[]>> = {
  id: [
    [[17], true],
    [['17'], false],
    [[18], false],
    [[18, 17], true],
    [[true], false],
    [[null], false],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [[{ prefix: '1' }], false],
    [[{ suffix: '7' }], false],
    [[{ numeric: ['=', 17] }], true],
    [[{ numeric: ['=', 18] }], false],
    [[{ numeric: ['<', 17] }], false],
    [[{ numeric: ['<=', 17] }], true],
    [[{ numeric: ['>', 17] }], false],
    [[{ numeric: ['>=', 17] }], true],
    [[{ numeric: ['>=', 10, '<', 20] }], true],
    [[{ numeric: ['>=', 10, '<', 17] }], false],
    [[{ numeric: ['>', 17, '<', 20] }], false],
    [[{ numeric: ['<', 20, '>', 10] }], true],
    [[{ numeric: ['<', 5] }, { numeric: ['>', 16] }], true],
    [[{ 'anything-but': [17] }], false],
    [[{ 'anything-but': ['17'] }], true],
    [[{ 'anything-but': [18, 19] }], true],
  ],
  total: [
    [[12.5], true],
    [[12], false],
    [[{ numeric: ['>', 12.4, '<', 12.6] }], true],
    [[{ numeric: ['=', 12.5] }], true],
    [[{ numeric: ['<', -1] }], false],
  ],
  paid: [
    [[true], true],
    [[false], false],
    [['true'], false],
    [[1], false],
    [[{ 'anything-but': [false] }], true],
    [[{ 'anything-but': [true] }], false],
    [[{ prefix: 't' }], false],
    [[{ numeric: ['=', 1] }], false],
    [[{ exists: true }], true],
  ],
  note: [
    [[null], true],
    [['null'], false],
    [[''], false],
    [[0], false],
    [[false], false],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [[{ 'anything-but': ['b'] }], true],
    [[{ 'anything-but': [null] }], false],
    [[{ numeric: ['=', 0] }], false],
  ],
  'note.text': [
    [[{ exists: false }], true],
    [[null], false],
    [[{ 'anything-but': ['b'] }], false],
    [[{ exists: true }], false],
    [[{ prefix: '' }], false],
  ],
  missing: [
    [[{ exists: false }], true],
    [[{ exists: true }], false],
    [[null], false],
    [[''], false],
    [[false], false],
    [[0], false],
    [[{ 'anything-but': ['x'] }], false],
    [[{ prefix: '' }], false],
    [[{ suffix: '' }], false],
    [[{ numeric: ['<', 1] }], false],
    [['x', { exists: false }], true],
  ],
  'missing.deeper.still': [
    [[{ exists: false }], true],
    [[null], false],
  ],
  'id.digit': [
    [[{ exists: false }], true],
    [[17], false],
    [[{ 'anything-but': ['x'] }], false],
  ],
  'paid.by': [[[{ exists: false }], true]],
  'customer.country': [
    [['de'], true],
    [['DE'], false],
    [['at', 'de'], true],
    [['at', 'ch'], false],
    [['d'], false],
    [[{ prefix: 'd' }], true],
    [[{ prefix: 'de' }], true],
    [[{ prefix: 'deu' }], false],
    [[{ prefix: '' }], true],
    [[{ suffix: 'e' }], true],
    [[{ suffix: 'de' }], true],
    [[{ suffix: 'd' }], false],
    [[{ suffix: '' }], true],
    [[{ prefix: 'a' }, { suffix: 'e' }], true],
    [[{ prefix: 'a' }, { suffix: 'x' }], false],
    [[{ 'anything-but': ['de'] }], false],
    [[{ 'anything-but': ['at', 'ch'] }], true],
    [[{ 'anything-but': ['at', 'de'] }], false],
    [[{ 'anything-but': ['de'] }, 'de'], true],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [[null], false],
  ],
  'customer.age': [
    [[0], true],
    [[false], false],
    [[null], false],
    [[''], false],
    [[{ numeric: ['<=', 0] }], true],
    [[{ numeric: ['=', -0] }], true],
    [[{ exists: true }], true],
  ],
  'customer.tags': [
    [['vip'], true],
    [['new'], true],
    [['old'], false],
    [['old', 'new'], true],
    [[{ prefix: 'n' }], true],
    [[{ suffix: 'p' }], true],
    [[{ prefix: 'x' }], false],
    [[{ 'anything-but': ['vip'] }], true],
    [[{ 'anything-but': ['new'] }], true],
    [[{ 'anything-but': ['vip', 'new'] }], false],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
  ],
  'customer.tags.0': [
    [['vip'], false],
    [[{ exists: false }], true],
  ],
  'customer.tags.length': [[[{ exists: false }], true]],
  'customer.address.zip': [
    [['10115'], true],
    [[10115], false],
    [[{ prefix: '101' }], true],
  ],
  customer: [
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [['de'], false],
    [[null], false],
    [[{ 'anything-but': ['de'] }], true],
    [[{ prefix: '' }], false],
  ],
  empty: [
    [[{ exists: true }], true],
    [[{ exists: false }], false],
  ],
  'empty.key': [[[{ exists: false }], true]],
  none: [
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [[null], false],
    [[{ 'anything-but': ['x'] }], false],
  ],
  'none.key': [[[{ exists: false }], true]],
  'items.sku': [
    [['a1'], true],
    [['b2'], true],
    [['c3'], false],
    [[{ prefix: 'b' }], true],
    [[{ 'anything-but': ['a1'] }], true],
    [[{ 'anything-but': ['a1', 'b2'] }], false],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
    [[null], false],
  ],
  'items.qty': [
    [[2], true],
    [[{ numeric: ['>', 4] }], true],
    [[{ numeric: ['>', 2, '<', 5] }], false],
    [[{ numeric: ['>', 5] }], false],
  ],
  'items.gift': [
    [[true], true],
    [[{ exists: true }], true],
    [[{ exists: false }], false],
  ],
  'items.none': [[[{ exists: false }], true]],
  items: [
    [['loose'], true],
    [[null], true],
    [['a1'], false],
    [[{ prefix: 'lo' }], true],
  ],
  nested: [
    [[1], true],
    [[2], true],
    [[3], false],
  ],
  'nested.deep': [
    [['x'], true],
    [['y'], false],
  ],
  text: [
    [[''], true],
    [[{ prefix: '' }], true],
    [[{ prefix: 'a' }], false],
    [[{ exists: true }], true],
  ],
  'toString.name': [[[{ exists: false }], true]],
  'constructor.name': [[[{ exists: false }], true]],
};

/** A list for the path `a.b` of other data. */
const OF_OTHER_DATA: readonly Row[] = [
  [['x'], { a: { b: 'x' } }, true],
  [['x'], { 'a.b': 'x' }, false],
  [[{ exists: false }], { 'a.b': 'x' }, true],
  [['x'], { a: [{ b: 'x' }] }, true],
  [['x'], { a: [[{ b: ['x'] }]] }, true],
  [['x'], [{ a: { b: 'x' } }], true],
  [['x'], [], false],
  [[{ exists: false }], [], true],
  [['x'], 'x', false],
  [[{ exists: false }], 'x', true],
  [[{ exists: false }], null, true],
  [[null], null, false],
  [[{ exists: false }], 5, true],
  [[{ exists: false }], { a: null }, true],
  [[null], { a: null }, false],
  [[null], { a: { b: null } }, true],
  [[null], { a: { b: [null] } }, true],
  [[null], { a: { b: [] } }, false],
  [[{ 'anything-but': [null] }], { a: { b: [null, 1] } }, true],
  [['__proto__'], { a: { b: '__proto__' } }, true],
];

function matches(filter: Filter, data: Json, name = 'order'): boolean {
  return compiledFilter(filter)(new MatchedMessage(name, data));
}

describe('Filters of topics', () => {
  const rows = Object.entries(OF_ORDER).flatMap(([path, some]) =>
    some.map(([listed, isMatch]) => ({ path, listed, data: order, isMatch })),
  );
  const others = OF_OTHER_DATA.map(([listed, data, isMatch]) => ({
    path: 'a.b',
    listed,
    data,
    isMatch,
  }));

  it('have a table of at least 150 cases', () => {
    expect(rows.length + others.length).to.be.at.least(150);
  });

  for (const { path, listed, data, isMatch } of [...rows, ...others]) {
    const of = data === order ? '' : ` with ${JSON.stringify(data)}`;
    // holds: topics.filter
    it(`${isMatch ? 'match' : 'do not match'} ${path} in ${JSON.stringify(listed)}${of}`, () => {
      const conditions = Object.fromEntries([[path, listed]]);
      expect(matches({ data: conditions }, data)).to.equal(isMatch);
    });
  }

  // holds: topics.filter
  it('match all messages without conditions', () => {
    for (const filter of [undefined, {}, { data: {} }]) {
      expect(compiledFilter(filter)(new MatchedMessage('x', null))).to.equal(true);
    }
  });

  for (const [patterns, name, isMatch] of [
    [['order'], 'order', true],
    [['order'], 'orders', false],
    [['order*'], 'orders', true],
    [['*'], '', true],
    [['a', 'order.*'], 'order.paid', true],
    [['*.paid'], 'order.paid', true],
    [['o*r.p*d'], 'order.paid', true],
    [['a', 'b'], 'c', false],
  ] as const) {
    // holds: topics.filter
    it(`${isMatch ? 'match' : 'do not match'} the name ${name} with ${patterns.join(', ')}`, () => {
      expect(matches({ name: [...patterns] }, null, name)).to.equal(isMatch);
    });
  }

  // holds: topics.filter
  it('match only when the name and all paths do', () => {
    const filter = { name: ['order'], data: { id: [17], 'customer.country': ['de'] } };
    expect(matches(filter, order)).to.equal(true);
    expect(matches(filter, order, 'other')).to.equal(false);
    expect(matches({ ...filter, data: { ...filter.data, paid: [false] } }, order)).to.equal(false);
  });

  const refused = (filter: unknown): DomainError => {
    try {
      compiledFilter(filter as Filter);
    } catch (error) {
      return error as DomainError;
    }
    throw new Error('The filter is right');
  };

  for (const [listed, field, problem] of [
    ['de', 'filter.data.a.b', 'must be an array, not empty, of values and operators'],
    [[], 'filter.data.a.b', 'must be an array, not empty, of values and operators'],
    [[['x']], 'filter.data.a.b[0]', 'must be a string, a number, true, false, null or an object'],
    [['x', {}], 'filter.data.a.b[1]', 'must be a string, a number, true, false, null or an object'],
    [[{ prefix: 'a', suffix: 'b' }], 'filter.data.a.b[0]', 'with one operator'],
    [['x', { regex: 'a' }], 'filter.data.a.b[1].regex', 'is not a known operator'],
    [[{ toString: 'a' }], 'filter.data.a.b[0].toString', 'is not a known operator'],
    [[{ prefix: 1 }], 'filter.data.a.b[0].prefix', 'must be a string'],
    [[{ suffix: null }], 'filter.data.a.b[0].suffix', 'must be a string'],
    [[{ exists: 'no' }], 'filter.data.a.b[0].exists', 'must be true or false'],
    [[{ 'anything-but': 'b' }], 'filter.data.a.b[0].anything-but', 'must be an array'],
    [[{ 'anything-but': [] }], 'filter.data.a.b[0].anything-but', 'must be an array'],
    [[{ 'anything-but': [{}] }], 'filter.data.a.b[0].anything-but', 'must be an array'],
    [[{ numeric: [] }], 'filter.data.a.b[0].numeric', 'must be an array of one or two'],
    [[{ numeric: 5 }], 'filter.data.a.b[0].numeric', 'must be an array of one or two'],
    [[{ numeric: ['>'] }], 'filter.data.a.b[0].numeric', 'must be an array of one or two'],
    [[{ numeric: ['!=', 1] }], 'filter.data.a.b[0].numeric[0]', 'must be =, <, <=, > or >='],
    [[{ numeric: ['>', '1'] }], 'filter.data.a.b[0].numeric[1]', 'must be a number'],
    [[{ numeric: ['>', 1, '<', null] }], 'filter.data.a.b[0].numeric[3]', 'must be a number'],
  ] as const) {
    // holds: topics.filter-mistakes
    it(`refuse ${JSON.stringify(listed)} with its path`, () => {
      const error = refused({ data: { 'a.b': listed } });
      expect(error).to.include({ code: 'invalid-request', field });
      expect(error.message).to.include(`${field} `).and.to.include(problem);
    });
  }

  // holds: topics.filter-bounds
  it('have at most 150 values in all their lists, and 4,096 bytes', () => {
    const values = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
    const within = { name: ['a'], data: { a: values(100), b: [{ 'anything-but': values(49) }] } };
    compiledFilter(within);
    expect(refused({ ...within, name: ['a', 'b'] })).to.include({
      field: 'filter',
      message: 'filter must have at most 150 values',
    });
    compiledFilter({ data: { a: ['x'.repeat(4096 - 19)] } });
    expect(refused({ data: { a: ['x'.repeat(4096 - 18)] } })).to.include({
      field: 'filter',
      message: 'filter must be of at most 4096 bytes of JSON',
    });
    expect(refused({ data: { a: ['\0'] } }).message).to.equal('filter must not contain NUL');
  });
});
