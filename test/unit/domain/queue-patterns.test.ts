import { expect } from 'chai';
import { queuePatterns } from '../../../src/domain/access/queue-patterns.ts';
import { CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook } from '../../../src/domain/queues/own-queue.ts';

describe('Patterns of queues', () => {
  const cases: readonly (readonly [
    patterns: readonly string[] | null,
    allowed: readonly string[],
    others: readonly string[],
  ])[] = [
    [null, ['mail', '!x'], []],
    [['mail'], ['mail'], ['Mail', 'mails', 'mail-a', 'mai']],
    [['mail-*'], ['mail-', 'mail-a', 'mail-*'], ['mail', 'MAIL-a', 'xmail-a']],
    [
      ['mail-*', '!mail-vip'],
      ['mail-a', 'mail-vip2'],
      ['mail-vip', 'other'],
    ],
    [['!mail-vip'], ['mail-a', 'other'], ['mail-vip']],
    [['!mail-*', 'mail-a'], ['mail-a'], ['mail-b', 'other']],
    [['mail-*', '!mail-vip-*', 'mail-vip-eu'], ['mail-a', 'mail-vip-eu'], ['mail-vip-us']],
  ];

  for (const patterns of [null, ['*'], ['!mail'], [':*'], ['!mail', CALLBACK_QUEUE]]) {
    // holds: hooks.own-queues
    it(`${JSON.stringify(patterns)} match no queue of the service itself`, () => {
      const matches = queuePatterns(patterns);
      for (const own of [CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook('alerts')]) {
        expect(matches(own), own).to.equal(false);
      }
    });
  }

  for (const [patterns, allowed, others] of cases) {
    // holds: rights.patterns
    it(`${JSON.stringify(patterns)} allow what the last matching one says`, () => {
      const mayUse = queuePatterns(patterns);
      for (const queue of allowed) expect(mayUse(queue), queue).to.equal(true);
      for (const queue of others) expect(mayUse(queue), queue).to.equal(false);
    });
  }
});
