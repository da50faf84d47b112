import type { SavedStep, StepPort } from '../../../../application/ports/step-port.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { NewStep } from '../../../../domain/steps/step.ts';
import type { SuspensionRequest } from '../../../../domain/steps/suspension-request.ts';
import {
  awaitedBy,
  removeSteps,
  saveStep,
  shownSteps,
  type StepSaved,
} from '../../../../domain/transitions/steps.ts';
import { reportSuspension } from '../../../../domain/transitions/settle.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { stepRecordId } from '../state/stored-jobs.ts';
import { fetchKeptSignals } from './kept-signals.ts';
import { readJob } from './job-reading.ts';
import { QueueSteps } from './queue-steps.ts';
import { readTexts } from './step-values.ts';

const MISSING: ActionOutcome = { kind: 'missing' };
const REFUSED: StepSaved = { kind: 'refused' };

/** The steps of jobs in the memory of this process. */
export function memorySteps(store: MemoryStore): StepPort {
  const steps = new QueueSteps(store);
  const save = steps.onWhole(
    (queue, now, attempt: AttemptKey, step: NewStep) => saveStep(queue, attempt, step, now),
    REFUSED,
  );
  const suspend = steps.onWhole(
    (queue, now, attempt: AttemptKey, request: SuspensionRequest) =>
      reportSuspension(queue, attempt, request, now),
    'refused',
  );
  const list = async (
    name: QueueName,
    jobId: string,
  ): Promise<readonly SavedStep[] | undefined> => {
    const job = await readJob(store, { queue: name, id: jobId });
    const queue = store.find(name);
    if (job === undefined || queue === undefined) return undefined;
    const shown = shownSteps(job, store.now());
    const ids = shown.flatMap((step) =>
      'number' in step ? [stepRecordId(jobId, step.number)] : [],
    );
    const values = await readTexts(queue, queue.jobs.steps, ids);
    const byId = new Map(ids.map((id, index) => [id, values[index]]));
    return shown
      .flatMap((step) => {
        const { name: stepName, kind, at, size } = step;
        const value = 'number' in step ? byId.get(stepRecordId(jobId, step.number)) : step.value;
        return value === undefined ? [] : [{ name: stepName, kind, at, size, value }];
      })
      .sort((one, other) => one.at - other.at);
  };
  return {
    list,
    save: async (queue, attempt, step) => {
      const saved = await save(queue, attempt, step);
      if (saved.kind === 'too-much') return saved;
      if (saved.kind !== 'known') return { kind: saved.kind };
      const known = await list(queue, attempt.jobId);
      const before = known?.find(({ name }) => name === step.name);
      return before === undefined ? { kind: 'refused' } : { kind: 'known', value: before.value };
    },
    awaited: steps.onKnown((queue, now, jobId: string) => awaitedBy(queue, jobId, now), undefined),
    suspend: async (queue, attempt, request) => {
      await fetchKeptSignals(store, queue, request);
      return suspend(queue, attempt, request);
    },
    remove: steps.onWhole(
      (queue, now, jobId: string, name?: string) => removeSteps(queue, jobId, name, now),
      MISSING,
    ),
  };
}
