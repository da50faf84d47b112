import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { ReplicaSignalsPort, SignalScope } from '../ports/replica-signals-port.ts';

/**
 * Cancels a job, and wakes the replica that is calling for it, which then ends the call. Also wakes it when the answer
 * of the store was lost, since the job may have been cancelled.
 */
export async function wakingCancellation(
  signals: ReplicaSignalsPort,
  scope: SignalScope,
  cancel: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  let mayBeDone = true;
  try {
    const outcome = await cancel();
    mayBeDone = outcome.kind === 'done';
    return outcome;
  } finally {
    if (mayBeDone) signals.send('cancelled', scope);
  }
}
