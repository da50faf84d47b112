import { expect } from 'chai';
import { suspensionReader } from '../../../src/application/steps/suspensions.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { Policy } from '../../../src/domain/policies/policy.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { queueNamed } from '../../support/queue-named.ts';

const ORDER = queueNamed('order');
const SHIP = queueNamed('ship');
const ADD = { add: { ship: [{ queue: 'ship', name: 'pack', data: 1 }] } };

describe('An answer that suspends a job', () => {
  const policies = (known: Policy | undefined) => {
    let policy: Policy | undefined;
    return {
      areKnown: false,
      known: () => Promise.resolve().then(() => void (policy = known)),
      of: () => policy,
    };
  };
  const read = (body: unknown, known?: Policy) =>
    suspensionReader({
      policies: policies(known),
      workers: { workerOf: () => Promise.resolve(undefined) },
      calledOptions: { prepared: (_queue, opts) => opts },
      tokens: { draw: () => 'id' },
      queueName: queueName({ min: 1, max: 100 }),
    })(ORDER, body);
  const refusalOf = async (body: unknown): Promise<readonly string[]> => {
    const error = await read(body).then(undefined, (refusal: unknown) => refusal);
    return error instanceof DomainError ? [error.code, error.message] : [];
  };

  // holds: steps.add-policy
  it('is read by the policies that are in force, once these are known', async () => {
    const known = { steps: { queues: ['sh*'] }, maxWaiting: 5, defaults: { attempts: 7 } };
    const { added, maxWaiting } = await read(ADD, known);
    expect(added[0]?.jobs[0]?.job.opts.attempts).to.equal(7);
    expect([...maxWaiting]).to.deep.equal([[SHIP, 5]]);
  });

  // holds: steps.bounds
  it('is too much with more than 1000 names, of values or of waits', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `step-${index}`);
    const of = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
    for (const body of [{ steps: of(1) }, { sleep: of(1) }]) {
      expect(await refusalOf(body)).to.deep.equal(['request-too-large', 'More than 1000 steps']);
    }
  });

  // holds: steps.add
  it('adds at most 1000 jobs', async () => {
    const jobs = Array.from({ length: 501 }, () => ({ queue: 'order', name: 'part', data: 1 }));
    const text = 'add must have at most 1000 jobs';
    expect(await refusalOf({ add: { one: jobs, two: jobs } })).to.deep.equal([
      'invalid-request',
      text,
    ]);
  });
});
