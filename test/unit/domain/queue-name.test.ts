import { expect } from 'chai';
import { checkQueueName } from '../../../src/domain/queue-name.ts';
import { rejection } from './rejection.ts';

const LIMITS = { min: 3, max: 10 };
const MUST = 'must be a string of 3 to 10 characters without ":" or control characters';

describe('queue name', () => {
  for (const name of [
    'abc',
    'abcdefghij',
    '   ',
    'a b',
    '{tag}q',
    '../..',
    '日本語',
    '🚀🚀🚀',
    '🚀'.repeat(10),
    '__proto__',
    '%3A%3A',
    'a\u00a0b',
  ]) {
    it(`may be ${JSON.stringify(name)}`, () => {
      expect(checkQueueName(name, LIMITS)).to.equal(name);
    });
  }

  for (const name of [
    '',
    'ab',
    'abcdefghijk',
    '🚀🚀',
    '🚀'.repeat(11),
    'a:b',
    ':::',
    'a\u0000b',
    'a\nb',
    'ab\u001f',
    '\u007fabc',
    'abc\u0085',
    'abc\u009f',
    'abc\ud800',
    '\udc00abc',
    undefined,
    null,
    123,
    ['abc'],
    {},
  ]) {
    it(`may not be ${name === undefined ? 'absent' : JSON.stringify(name)}`, () => {
      expect(rejection(() => checkQueueName(name, LIMITS))).to.equal(`queue name ${MUST}`);
      expect(rejection(() => checkQueueName(name, LIMITS, 'queue'))).to.equal(`queue ${MUST}`);
    });
  }
});
