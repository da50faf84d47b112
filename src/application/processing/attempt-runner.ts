import { deliveryOutcome, type DeliveryOutcome } from '../../domain/delivery.ts';
import { afterFailure } from '../../domain/job.ts';
import type { Worker } from '../../domain/worker.ts';
import type { Attempt, AttemptEnding } from '../ports/job-consumer-port.ts';
import { EndpointCallError, type WebhookPort } from '../ports/webhook-port.ts';

/**
 * Makes one attempt: calls the worker's endpoint and decides what its answer means for the job.
 *
 * @param signal ends the call when the attempt is given up; nobody asks for the ending then.
 */
export async function runAttempt(
  webhook: WebhookPort,
  worker: Worker,
  { job, token }: Attempt,
  signal: AbortSignal,
): Promise<AttemptEnding> {
  const outcome = await deliver(() => webhook.call(worker.endpoint, job, token, signal));
  if (outcome.succeeded) {
    const { returnvalue } = outcome;
    return { kind: 'completed', returnvalue, keep: worker.opts?.removeOnComplete };
  }
  const { reason } = outcome;
  const after = afterFailure(job);
  if (after.retry) return { kind: 'retry', reason, delay: after.delay };
  return { kind: 'failed', reason, keep: worker.opts?.removeOnFail };
}

async function deliver(call: () => ReturnType<WebhookPort['call']>): Promise<DeliveryOutcome> {
  try {
    return deliveryOutcome(await call());
  } catch (error) {
    if (error instanceof EndpointCallError) return { succeeded: false, reason: error.message };
    throw error;
  }
}
