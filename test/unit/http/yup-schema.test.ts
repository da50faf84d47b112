import { expect } from 'chai';
import fc from 'fast-check';
import { describedMistakes } from '../../../src/adapters/inbound/http/api/schemas/shape-mistakes.ts';
import { yupSchema } from '../../../src/adapters/inbound/http/api/schemas/yup-schema.ts';
import { jobInputShape } from '../../../src/domain/jobs/job.ts';

const jobSchema = yupSchema(jobInputShape);

function schemaAccepts(value: unknown): boolean {
  return describedMistakes(jobSchema, value, [0]).length === 0;
}

const scalar = fc.constantFrom<unknown>(
  ...[null, true, false, '', 'a', 'fixed', 'linear', 'meta', '12', 'a:b', '\ud800'],
  ...[0, -0, 1, -1, 1.5, 1e308, 2097152, 2097153, Number.MAX_SAFE_INTEGER, 2 ** 53],
  ...[[], {}, [1], { type: 'fixed', delay: 1 }],
);

const backoff = fc.oneof(
  scalar,
  fc.record({ type: scalar, delay: scalar, more: scalar }, { requiredKeys: [] }),
  fc.record({ type: fc.constantFrom('fixed', 'linear', 'exponential'), delay: fc.nat() }),
);

/** Mostly right, so that single mistakes are found too. */
const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: scalar });

const options = fc.record(
  {
    attempts: mostly(fc.nat()),
    backoff: mostly(backoff),
    delay: mostly(fc.nat()),
    priority: mostly(fc.nat()),
    lifo: mostly(fc.boolean()),
    jobId: mostly(fc.constant('id')),
  },
  { requiredKeys: [] },
);

const job = fc.record(
  { name: mostly(fc.string()), data: mostly(fc.jsonValue()), opts: mostly(options) },
  { requiredKeys: ['name'] },
);

const extra = fc.dictionary(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', ''),
  scalar,
  { maxKeys: 1 },
);

/** What a client can send: the parts of a value that JSON keeps. */
const sent = fc
  .oneof(
    { weight: 1, arbitrary: fc.oneof(scalar, fc.jsonValue()) },
    { weight: 4, arbitrary: job },
    {
      weight: 2,
      arbitrary: fc.tuple(job, extra, extra).map(([value, more, option]) => ({
        ...value,
        ...more,
        opts: { ...(value.opts as object), ...option },
      })),
    },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('the yup schema of a shape', () => {
  it('accepts exactly the jobs that the shape accepts', () => {
    const verdicts = { true: 0, false: 0 };
    fc.assert(
      fc.property(sent, (value) => {
        const accepted = jobInputShape.accepts(value);
        verdicts[`${accepted}`] += 1;
        expect(schemaAccepts(value)).to.equal(accepted);
      }),
      { numRuns: 600 },
    );
    expect(verdicts.true).to.be.above(10);
    expect(verdicts.false).to.be.above(100);
  });
});
