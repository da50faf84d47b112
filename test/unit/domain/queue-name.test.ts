import { expect } from 'chai';
import { parseQueueName, queueName } from '../../../src/domain/queues/queue-name.ts';
import { rejection } from './rejection.ts';

const NAME = queueName({ min: 3, max: 10 });
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
    // holds: limits.queue-name
    '🚀'.repeat(10),
    '__proto__',
    '%3A%3A',
    'a\u00a0b',
  ]) {
    it(`may be ${JSON.stringify(name)}`, () => {
      expect(parseQueueName(name, NAME)).to.equal(name);
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
    // holds: body.queue-name
    it(`may not be ${name === undefined ? 'absent' : JSON.stringify(name)}`, () => {
      const parse = (): unknown => parseQueueName(name as string, NAME);
      expect(rejection(parse)).to.equal(`queue name ${MUST}`);
    });
  }
});
