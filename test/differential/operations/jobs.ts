import fc from 'fast-check';
import type { JobControlPort } from '../../../src/application/ports/job-control-port.ts';
import type { JobAddress } from '../../../src/domain/flows/flow.ts';
import type { JobChange } from '../../../src/domain/jobs/job-change.ts';
import type { JobRetry } from '../../../src/domain/jobs/job-retry.ts';
import { job, replica, retention } from '../choices.ts';
import { NOTHING, operation } from '../operation.ts';
import { LATER } from '../time.ts';

const change = fc.constantFrom<JobChange>(
  { data: 7 },
  { priority: 3 },
  { priority: 0 },
  { delay: LATER },
);

const retry = fc.constantFrom<JobRetry>({}, {}, { opts: { priority: 2 } }, { data: 'anew' });

/** The actions on single jobs. */
export const jobs = {
  remove: ofJob(2, {}, (control, { queue, id }) => control.remove(queue, id)),
  removeAlone: ofJob(1, {}, (control, { queue, id }) => control.removeAlone(queue, id)),
  removeActive: ofJob(1, {}, (control, { queue, id }) => control.removeActive(queue, id)),
  promote: ofJob(1, {}, (control, { queue, id }) => control.promote(queue, id)),
  retryJob: ofJob(2, { retry }, (control, { queue, id }, choice) =>
    control.retry(queue, id, choice.retry),
  ),
  cancel: ofJob(2, { keep: retention }, (control, { queue, id }, { keep }) =>
    control.cancel(queue, id, { reason: 'Cancelled', keep }),
  ),
  change: ofJob(2, { change }, (control, { queue, id }, choice) =>
    control.change(queue, id, choice.change),
  ),
};

function ofJob<Choice extends object>(
  weight: number,
  choices: { readonly [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  act: (control: JobControlPort, job: JobAddress, choice: Choice) => Promise<unknown>,
) {
  const all = fc.record({ job, replica, ...choices }) as fc.Arbitrary<
    { job: number; replica: number } & Choice
  >;
  return operation(weight, all, (stage, choice) => {
    const address = stage.job(choice.job);
    if (address === undefined) return NOTHING;
    return act(stage.replica(choice.replica).jobControl, address, choice);
  });
}
