import type { ReportOutcome } from '../../domain/attempts/attempt-report.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Awaited } from '../../domain/steps/awaited.ts';
import type { NewStep, Step } from '../../domain/steps/step.ts';
import type {
  SuspensionRefusal,
  SuspensionRequest,
} from '../../domain/steps/suspension-request.ts';
import type { StepSaved } from '../../domain/transitions/steps.ts';
import type { Natures } from './nature.ts';

/** A saved step with its value, as JSON. */
export interface SavedStep extends Omit<Step, 'number' | 'start'> {
  readonly value: string;
}

/** The outcome of saving a step of a running attempt. @param value the value that the name already had, as JSON. */
export type StepOutcome =
  | Exclude<StepSaved, { readonly kind: 'known' }>
  | { readonly kind: 'known'; readonly value: string };

/**
 * The steps of jobs (further contract, section 22). Every change is atomic. Methods throw DomainError `store-unavailable`
 * when the store cannot be reached; whether the change was made is then unknown, and repeating the call is safe.
 */
export interface StepPort {
  /** The steps of a job by time; those that a suspension brought are there once they are over. Undefined for no job. */
  list(queue: QueueName, jobId: string): Promise<readonly SavedStep[] | undefined>;

  /** What a suspended job still awaits; undefined for one that is not suspended, or that goes on. */
  awaited(queue: QueueName, jobId: string): Promise<Awaited | undefined>;

  /** Saves a step of the job that an attempt holds. The first value of a name stays. */
  save(queue: QueueName, attempt: AttemptKey, step: NewStep): Promise<StepOutcome>;

  /**
   * Suspends a job by a report of the holder of its token, which is remembered in the same step, or returns why it is
   * refused and changes nothing.
   */
  suspend(
    queue: QueueName,
    attempt: AttemptKey,
    request: SuspensionRequest,
  ): Promise<ReportOutcome | SuspensionRefusal>;

  /** Removes a step of a job that no attempt holds, or all of them. `missing` for a job or a name that is not there. */
  remove(queue: QueueName, jobId: string, name?: string): Promise<ActionOutcome>;
}

export const STEP_NATURES: Natures<StepPort> = {
  list: 'reads job',
  awaited: 'reads job',
  save: 'enlarges',
  suspend: { is: 'enlarges', inPieces: true },
  remove: 'changes',
};
