import fc from 'fast-check';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { jobOf, repeatable } from '../../contracts/queue-steps.ts';
import { duration, queue, replica } from '../choices.ts';
import { operation } from '../operation.ts';
import { SOON } from '../time.ts';
import { group } from './groups.ts';

/** The deduplication id of all plays. */
export const DEDUPLICATION = 'same';

const deduplication = fc.record(
  {
    id: fc.constant(DEDUPLICATION),
    ttl: duration,
    extend: fc.boolean(),
    replace: fc.boolean(),
    keepLastIfActive: fc.boolean(),
  },
  { requiredKeys: ['id'] },
);

const priority = fc.constantFrom(1, 2, 7);

const options: fc.Arbitrary<JobOptionsInput> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ priority }) },
  { weight: 2, arbitrary: fc.record({ delay: duration }) },
  { weight: 1, arbitrary: fc.record({ delay: duration, priority }) },
  { weight: 1, arbitrary: fc.constant({ lifo: true }) },
  { weight: 1, arbitrary: fc.constant({ lifo: true, priority: 2 }) },
  { weight: 1, arbitrary: fc.record({ jobId: fc.constantFrom('mine', 'yours') }) },
  { weight: 1, arbitrary: fc.record({ ttl: duration }) },
  { weight: 1, arbitrary: fc.record({ ttl: duration, delay: fc.constant(SOON) }) },
  { weight: 1, arbitrary: fc.record({ ttl: duration, priority }) },
  {
    weight: 1,
    arbitrary: fc.record({
      removeOnComplete: fc.constantFrom(true, 1, 2),
      removeOnFail: fc.constantFrom(true, 1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ keepLogs: 2 }) },
  { weight: 1, arbitrary: fc.constant({ attempts: 3, backoff: { type: 'fixed', delay: 5 } }) },
  { weight: 2, arbitrary: fc.record({ deduplication }) },
  { weight: 1, arbitrary: fc.record({ deduplication, delay: duration }) },
);

const inGroup = fc.record({ id: group, cost: fc.constantFrom(1, 1, 3) });

/** Every second job has a group. */
const inAnyGroup = fc
  .tuple(options, fc.option(inGroup, { freq: 2, nil: undefined }))
  .map(([each, ofGroup]) => ({ ...each, ...(ofGroup && { group: ofGroup }) }));

const jobs = fc.array(inAnyGroup, { minLength: 1, maxLength: 3 });

export const adding = {
  add: operation(
    8,
    fc.record({
      queue,
      replica,
      jobs,
      maxWaiting: fc.constantFrom(undefined, undefined, undefined, 2),
    }),
    async (stage, choice) => {
      const name = stage.queue(choice.queue);
      const added = choice.jobs.map((opts, index) => jobOf(opts, index));
      const answer = await stage.replica(choice.replica).queues.add(name, added, choice.maxWaiting);
      for (const { id } of answer) stage.know({ queue: name, id });
      return answer;
    },
  ),
  addOnce: operation(
    1,
    fc.record({ queue, replica, jobs, body: fc.constantFrom('one', 'one', 'other') }),
    async (stage, choice) => {
      const name = stage.queue(choice.queue);
      // The same body has the same jobs.
      const sent = stage.bodies.get(choice.body) ?? choice.jobs;
      stage.bodies.set(choice.body, sent);
      const added = repeatable(sent.map((opts, index) => jobOf(opts, index)));
      const identity = { key: 'key', body: choice.body };
      const answer = await stage.replica(choice.replica).queues.addOnce(name, added, identity);
      if ('jobs' in answer) for (const { id } of answer.jobs) stage.know({ queue: name, id });
      return answer;
    },
  ),
};
