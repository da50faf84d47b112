import { checkShape } from './check-shape.ts';
import { reasonShape } from './reason.ts';
import { object, optional, type Shaped } from './shape.ts';

/** What a client may say when it cancels a job. */
export const jobCancellationShape = object('Cancellation', {
  reason: optional(reasonShape('Ordered twice'), 'Why the job fails; `Cancelled` unless given'),
});

export type JobCancellationInput = Shaped<typeof jobCancellationShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function cancellationReason(input: JobCancellationInput): string {
  checkShape(jobCancellationShape, input, '');
  return input.reason ?? 'Cancelled';
}
