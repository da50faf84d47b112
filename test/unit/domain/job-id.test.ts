import { expect } from 'chai';
import { customJobId, isReservedJobId } from '../../../src/domain/jobs/job-id.ts';

/** What BullMQ keeps next to the jobs of a queue, by its own list of keys and its scripts. */
const KEYS_OF_A_QUEUE = [
  'active',
  'completed',
  'de',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'metrics',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
];

describe('custom job id', () => {
  for (const id of [
    'a',
    'order-1',
    '1a',
    '1.5',
    '+5',
    '0x10',
    '1e3',
    ' 5',
    '--5',
    'ünï 日本 🚀',
    '__proto__',
    'constructor',
    'Wait',
    'waiting',
    'wait ',
    'a/b?c#d',
    ' ',
    '...',
    '.a',
    'searches',
    'x'.repeat(255),
    '🚀'.repeat(255),
    '👨\u200d👩\u200d👧',
    'می\u200cخواهم',
    'שלום',
  ]) {
    // holds: bounds.job-id
    it(`may be ${JSON.stringify(id).slice(0, 40)}, of ${id.length}`, () => {
      expect(customJobId.accepts(id)).to.equal(true);
      expect(isReservedJobId(id)).to.equal(false);
    });
  }

  for (const id of [
    '',
    '0',
    '5',
    '007',
    '-1',
    '123456789012345678901234567890',
    'a:b',
    ':',
    'a:b:c',
    'a\ud800',
    'a\u0000',
    'a\nb',
    'a\u0085',
    '\ufeffa',
    'a\u202eb',
    'a\u2066b',
    'a\u200fb',
    'a\u061cb',
    'a\u200bb',
    'a\u00adb',
    'a\u2060',
    'a\u2028b',
    'a\u{e0041}',
    '.',
    '..',
    'x'.repeat(256),
    '🚀'.repeat(256),
    undefined,
    null,
    5,
    ['a'],
    {},
  ]) {
    // holds: body.job-id, bounds.job-id, bounds.invisible-job-id
    it(`may not be ${id === undefined ? 'absent' : JSON.stringify(id).slice(0, 40)}`, () => {
      expect(customJobId.accepts(id)).to.equal(false);
    });
  }

  for (const id of KEYS_OF_A_QUEUE) {
    // holds: body.job-id
    it(`may not be ${id}, a key of the queue itself`, () => {
      expect(isReservedJobId(id)).to.equal(true);
      expect(customJobId.accepts(id)).to.equal(false);
    });
  }

  for (const id of ['search', 'claim']) {
    // holds: reserved.job-ids
    it(`may not be ${id}, a path of its own; a job that has it can still be read`, () => {
      expect(customJobId.accepts(id)).to.equal(false);
      expect(isReservedJobId(id)).to.equal(false);
    });
  }
});
