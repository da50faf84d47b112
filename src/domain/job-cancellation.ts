import { checkShape } from './check-shape.ts';
import { MAX_REASON_BYTES } from './delivery.ts';
import { object, optional, text, type Shaped } from './shape.ts';
import { fitsInBytes } from './text.ts';

/** What a client may say when it cancels a job. */
export const jobCancellationShape = object('Cancellation', {
  reason: optional(
    text(
      `be a string of 1 to ${MAX_REASON_BYTES} bytes`,
      (reason) => reason !== '' && reason.isWellFormed() && fitsInBytes(reason, MAX_REASON_BYTES),
      { minLength: 1, maxLength: MAX_REASON_BYTES, examples: ['Ordered twice'] },
    ),
    'Why the job fails; `Cancelled` unless given',
  ),
});

export type JobCancellationInput = Shaped<typeof jobCancellationShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function cancellationReason(input: JobCancellationInput): string {
  checkShape(jobCancellationShape, input, '');
  return input.reason ?? 'Cancelled';
}
