import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { NewStep } from '../../domain/steps/step.ts';
import type { StepPort } from '../ports/step-port.ts';

/** The steps that the job of a running attempt has by now. @throws DomainError `store-unavailable`. */
export async function latestSteps(
  steps: Pick<StepPort, 'list'>,
  { job, jobId }: Attempt,
): Promise<readonly NewStep[]> {
  return (await steps.list(job.queue, jobId)) ?? [];
}
