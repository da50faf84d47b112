import { expect } from 'chai';
import { elapsedInWords, inWords } from '../../../src/domain/values/duration.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('durations in words', () => {
  for (const [ms, left, elapsed] of [
    [-1, '0 ms', '0 ms'],
    [0.4, '1 ms', '0 ms'],
    [412, '412 ms', '412 ms'],
    [999.6, '1 s', '1 s'],
    [SECOND, '1 s', '1 s'],
    [1430, '2 s', '1.4 s'],
    [9999, '10 s', '9.9 s'],
    [59_001, '1 min', '59 s'],
    [MINUTE, '1 min', '1 min'],
    [90 * SECOND, '1 min 30 s', '1 min 30 s'],
    [119_001, '1 min 59 s', '1 min 59 s'],
    [2 * MINUTE + SECOND, '3 min', '2 min'],
    [59 * MINUTE + SECOND, '1 h', '59 min'],
    [103 * MINUTE, '1 h 43 min', '1 h 43 min'],
    [HOUR - 1, '1 h', '59 min'],
    [HOUR + 999, '1 h', '1 h'],
    [119 * MINUTE + SECOND, '2 h', '1 h 59 min'],
    [2 * HOUR + SECOND, '3 h', '2 h'],
    [47 * HOUR, '1 d 23 h', '1 d 23 h'],
    [30 * DAY, '30 d', '30 d'],
  ] as const) {
    it(`says that ${ms} ms left are ${left}, and passed ${elapsed}`, () => {
      expect([inWords(ms), elapsedInWords(ms)]).to.deep.equal([left, elapsed]);
    });
  }
});
