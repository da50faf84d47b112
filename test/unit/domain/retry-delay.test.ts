import assert from 'node:assert/strict';
import { retryDelay, retryDelayShape } from '../../../src/domain/messages/retry-delay.ts';

const DAY = 86_400_000;

describe('retryDelay', () => {
  const cases: readonly (readonly [expression: string, retried: number, pause: number])[] = [
    ['1000', 3, 1000],
    ['1000 * (1 + retried)', 0, 1000],
    ['1000 * (1 + retried)', 2, 3000],
    ['pow(2, retried) * 1000', 3, 8000],
    ['max(10000, min(5000 * retried, 20000))', 3, 15_000],
    ['10 - 4 - 3', 0, 3],
    ['64 / 4 / 2', 0, 8],
    ['2 + 3 * 4', 0, 14],
    ['(2 + 3) * 4', 0, 20],
    ['--5', 0, 5],
    ['3 - -2', 0, 5],
    ['-2 * -3', 0, 6],
    ['floor(1.9) + ceil(1.1) + round(1.5)', 0, 5],
    ['sqrt(16) + abs(-3)', 0, 7],
    ['exp(0)', 0, 1],
    ['1.4', 0, 1],
    ['\t retried\n', 7, 7],
    ['retried - 100', 1, 0],
    ['1000 / retried', 0, DAY],
    ['-1 / retried', 0, 0],
    ['exp(retried * 1000)', 5, DAY],
    [`${'('.repeat(99)}1${')'.repeat(99)}`, 0, 1],
    [`${'-'.repeat(199)}1`, 0, 0],
  ];
  for (const [expression, retried, pause] of cases) {
    it(`is ${pause} for ${JSON.stringify(expression.slice(0, 50))} after ${retried} retries`, () => {
      assert.ok(retryDelayShape.accepts(expression));
      assert.equal(retryDelay(expression, retried), pause);
    });
  }

  // holds: qstash.retry-delay
  it('grows by e^2.5 to a day without an expression, and where a result is no number', () => {
    const pauses = [12_182, 148_413, 1_808_042, 22_026_466, DAY, DAY];
    for (const expression of [undefined, '0 / 0', 'sqrt(-1)']) {
      assert.deepEqual(
        pauses.map((_, retried) => retryDelay(expression, retried)),
        pauses,
      );
    }
  });
});

describe('the shape of a retry delay', () => {
  const refused = [
    ...['', ' ', '1 +', '* 2', '1 2', '(1', '1)', '()', '1..2', '.5', '1e3', '+1', '0x10'],
    ...['retries', 'Retried', 'pow(2)', 'pow(2, 3, 4)', 'sqrt()', 'sqrt(1, 2)', 'sqrt', 'min 1'],
    ...['constructor(1)', 'toString', '__proto__', 'process.exit(1)', '2 ** 3', '1; 2', '1 % 2'],
    ...['"1"', '1,2', 'pow(1 2)', '١', '1'.repeat(201), `${' '.repeat(200)}1`],
  ];
  for (const expression of refused) {
    it(`refuses ${JSON.stringify(expression.slice(0, 50))}`, () => {
      assert.equal(retryDelayShape.accepts(expression), false);
    });
  }
});
