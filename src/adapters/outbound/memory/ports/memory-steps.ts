import type { SavedStep, StepPort } from '../../../../application/ports/step-port.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { NewStep } from '../../../../domain/steps/step.ts';
import type { SuspensionRefusal } from '../../../../domain/steps/suspension-request.ts';
import type { MadeRequest } from '../../../../domain/transitions/suspend.ts';
import {
  awaitedBy,
  removeSteps,
  saveStep,
  shownSteps,
  type ShownStep,
  type StepSaved,
} from '../../../../domain/transitions/steps.ts';
import { reportSuspension } from '../../../../domain/transitions/settle.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { numberedRecordId } from '../records/record-ids.ts';
import { readJob } from './job-reading.ts';
import { QueueSteps } from './queue-steps.ts';
import { Steps } from './steps.ts';
import { Suspending } from './suspending.ts';

const MISSING: ActionOutcome = { kind: 'missing' };
const REFUSED: StepSaved = { kind: 'refused' };

/** The steps of jobs in the memory of this process. */
export function memorySteps(store: MemoryStore, running = new Steps()): StepPort {
  const steps = new QueueSteps(store);
  const suspending = new Suspending(store, running);
  const save = steps.onWhole(
    (queue, now, attempt: AttemptKey, step: NewStep) => saveStep(queue, attempt, step, now),
    REFUSED,
  );
  return {
    list: async (name, id) => {
      const job = await readJob(store, { queue: name, id });
      if (job === undefined) return undefined;
      const shown = await withValues(store, name, id, shownSteps(job, store.now()));
      return shown.sort((one, other) => one.at - other.at);
    },
    save: async (queue, attempt, step) => {
      const saved = await save(queue, attempt, step);
      if (saved.kind !== 'known') return saved;
      const [before] = await withValues(store, queue, attempt.jobId, [saved.step]);
      return before === undefined ? { kind: 'refused' } : { kind: 'known', value: before.value };
    },
    awaited: steps.onKnown((queue, now, jobId: string) => awaitedBy(queue, jobId, now), undefined),
    suspend: (name, attempt, request) => {
      type Outcome = ReportOutcome | SuspensionRefusal;
      const report = (given: MadeRequest): Outcome =>
        store.stepIfAny(name, (queue, now) => reportSuspension(queue, attempt, given, now)) ??
        'refused';
      const lost = (): Outcome => report(request);
      return suspending.run(name, attempt, request, lost, report);
    },
    remove: steps.onWhole(
      (queue, now, jobId: string, name?: string) => removeSteps(queue, jobId, name, now),
      MISSING,
    ),
  };
}

/** Steps of a job with their values, as far as these are not gone. */
export async function withValues(
  store: MemoryStore,
  queue: QueueName,
  jobId: string,
  steps: readonly ShownStep[],
): Promise<SavedStep[]> {
  const ids = steps.map((step) => 'number' in step && numberedRecordId(jobId, step.number));
  const kept = ids.filter((id) => id !== false);
  const values = await store.find(queue)?.jobs.steps.read(kept);
  return steps.flatMap((step, index) => {
    const { name, kind, at, size } = step;
    const value = 'value' in step ? step.value : values?.get(ids[index] as string);
    return value === undefined ? [] : [{ name, kind, at, size, value }];
  });
}
