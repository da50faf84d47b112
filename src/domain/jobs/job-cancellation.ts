import { checkShape } from '../values/check-shape.ts';
import { reasonShape } from '../values/reason.ts';
import { boolean, object, optional, type Shaped } from '../values/shape.ts';

/** Why a job fails when it is cancelled without a reason. */
export const CANCELLED = 'Cancelled';

/** The body of a cancellation. */
export const jobCancellationShape = object('Cancellation', {
  reason: optional(reasonShape('Ordered twice'), 'Why the job fails; `Cancelled` unless given'),
  children: optional(
    boolean,
    'Whether the jobs that it waits for are cancelled too, and those below them',
  ),
});

export type JobCancellationInput = Shaped<typeof jobCancellationShape>;

/** A cancellation that passed every rule: with `children`, all descendants of the job are cancelled too. */
export type JobCancelling = Required<JobCancellationInput>;

/** @throws DomainError `invalid-request` naming the field. */
export function jobCancelling(input: JobCancellationInput): JobCancelling {
  checkShape(jobCancellationShape, input, '');
  const { reason = CANCELLED, children = false } = input;
  return { reason, children };
}
