import { expect } from 'chai';
import fc from 'fast-check';
import { namePattern } from '../../../src/domain/queues/name-pattern.ts';

describe('a pattern of names', () => {
  for (const [pattern, matching, others] of [
    ['mail', ['mail'], ['mails', 'amail', '']],
    ['*', ['', 'mail', '*'], []],
    ['mail-*', ['mail-', 'mail-a'], ['mail', 'amail-a']],
    ['*-mail', ['-mail', 'a-mail'], ['mail', 'a-mails']],
    ['a*a', ['aa', 'aba', 'aaa'], ['a', 'ab']],
    ['a*bc*c', ['abcc', 'a-bc-c', 'abcbcc'], ['abc', 'acbc']],
    ['**', ['', 'x'], []],
    ['a.c', ['a.c'], ['abc']],
    ['a[bc]', ['a[bc]'], ['ab']],
  ] as const) {
    it(`${pattern} is all of ${matching.join(', ')} and none of ${others.join(', ')}`, () => {
      const isLike = namePattern(pattern);
      for (const name of matching) expect(isLike(name), name).to.equal(true);
      for (const name of others) expect(isLike(name), name).to.equal(false);
    });
  }

  // holds: queues.list-name
  it('matches the same as the equivalent regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(letters, name, (pattern, name) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
        expect(namePattern(pattern)(name)).to.equal(expected);
      }),
    );
  });

  it('takes bounded time', () => {
    const isLike = namePattern('a*'.repeat(1000) + 'b');
    expect(isLike('a'.repeat(100_000))).to.equal(false);
  });
});
