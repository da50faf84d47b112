import { requestTooLarge } from '../../domain/errors.ts';
import { jobOptions } from '../../domain/jobs/job-options.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import { mistakeInSize } from '../../domain/policies/job-size.ts';
import type { Subscription } from '../../domain/topics/subscription.ts';
import type { QueuedJob } from '../../domain/transitions/add-to-queues.ts';
import { namesCalled, type CalledOptions } from '../destinations/called-options.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import type { PoliciesInForce } from '../policies/policies.ts';

export interface MessageJobDependencies {
  readonly policies: Pick<PoliciesInForce, 'areKnown' | 'known' | 'of'>;
  readonly workers: WorkersInForce;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
}

/** A message that a subscription gets. */
export interface Match {
  /** The position of the message in its call. */
  readonly at: number;
  readonly message: JobInput;
  /** What the paths of the fields of the message begin with. */
  readonly path: string;
  readonly subscription: Subscription;
  /** About how many characters its job has. */
  readonly size: number;
}

/** The job that a message becomes for a subscription. */
export interface MessageJob extends Match, QueuedJob {}

/**
 * The jobs that messages become, by the rules of an add to their queues (further contract, section 23).
 *
 * @param id begins the ids of jobs that have none of their own.
 * @throws DomainError `invalid-request` naming the field, or `request-too-large`.
 */
export function messageJobs(
  matches: readonly Match[],
  id: string,
  parts: MessageJobDependencies,
): readonly MessageJob[] {
  return matches.map((match, position) => {
    const job = jobOf(match, parts);
    const { queue } = match.subscription;
    return { ...match, queue, id: job.opts.jobId ?? `${id}-${position}`, job };
  });
}

function jobOf(
  { message, path, subscription }: Match,
  { policies, calledOptions }: MessageJobDependencies,
): QueuedJob['job'] {
  const { queue, endpoint } = subscription;
  const { defaults, maxJobSize } = policies.of(queue) ?? {};
  const mistake = mistakeInSize(message.data, maxJobSize);
  if (mistake !== undefined) throw requestTooLarge(`${path}data ${mistake}`);
  const own = { ...subscription.opts, ...(endpoint && { endpoint }) };
  const { name, data } = message;
  // Those of the message were checked as it came, those of the subscription as it was stored.
  const opts = jobOptions({ ...defaults, ...message.opts, ...own });
  return {
    name,
    data,
    opts: namesCalled(opts) ? calledOptions.prepared(queue, opts, `${path}opts`, own) : opts,
  };
}
