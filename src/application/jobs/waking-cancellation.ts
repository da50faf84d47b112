import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { ReplicaSignalsPort, SignalScope } from '../ports/replica-signals-port.ts';

/**
 * Cancels a job, and wakes the replica that calls for it, which ends the call. Also wakes it when the answer of the
 * store was lost, since the job may be cancelled then.
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
