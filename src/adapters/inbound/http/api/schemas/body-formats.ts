import { rewrapOrderShape, type RewrapOrder } from '../../../../../domain/workers/rewrap-order.ts';
import {
  newTokenShape,
  rotationShape,
  tokenChangesShape,
  type NewToken,
  type Rotation,
  type TokenChanges,
} from '../../../../../domain/access/access-token.ts';
import { eventGrantShape, type EventGrant } from '../../../../../domain/events/event-ticket.ts';
import {
  failureReportShape,
  lockExtensionShape,
  releaseReportShape,
  returnValueTooLarge,
  type FailureReport,
  type LockExtension,
  type ReleaseReport,
} from '../../../../../domain/attempts/attempt-report.ts';
import { bulkRepairShape, type BulkRepairInput } from '../../../../../domain/jobs/bulk-repair.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import { redriveShape, type RedriveInput } from '../../../../../domain/jobs/redrive.ts';
import {
  drainOptionsShape,
  type DrainOptions,
} from '../../../../../domain/queues/drain-options.ts';
import { erasureShape, type ErasureInput } from '../../../../../domain/jobs/erasure.ts';
import { invalidRequest } from '../../../../../domain/errors.ts';
import { groupSettingsShape } from '../../../../../domain/groups/group-settings.ts';
import { hookShape, type HookInput } from '../../../../../domain/hooks/hook.ts';
import { holdOrderShape } from '../../../../../domain/queues/hold.ts';
import {
  logLineTooLarge,
  MAX_REPORT_SIZE,
  progressTooLarge,
} from '../../../../../domain/attempts/job-report.ts';
import { jobInputShape, type JobInput } from '../../../../../domain/jobs/job.ts';
import {
  jobCancellationShape,
  type JobCancellationInput,
} from '../../../../../domain/jobs/job-cancellation.ts';
import { jobClaimShape, type JobClaimInput } from '../../../../../domain/attempts/job-claim.ts';
import { jobChangeShape, type JobChangeInput } from '../../../../../domain/jobs/job-change.ts';
import { jobRetryShape, type JobRetryInput } from '../../../../../domain/jobs/job-retry.ts';
import { parsedJson, type Json } from '../../../../../domain/values/json.ts';
import {
  schedulerInputShape,
  templateTooLarge,
  type SchedulerInput,
} from '../../../../../domain/schedulers/scheduler.ts';
import {
  settingSetChangeShape,
  type SettingSetChange,
} from '../../../../../domain/policies/setting-set.ts';
import { policyShape, type Policy } from '../../../../../domain/policies/policy.ts';
import {
  anyJson,
  bounded,
  listOf,
  string,
  type Shape,
} from '../../../../../domain/values/shape.ts';
import {
  disablingOrderShape,
  type DisablingOrder,
} from '../../../../../domain/workers/worker-disabling.ts';
import {
  workerTestShape,
  type WorkerTestInput,
} from '../../../../../domain/workers/worker-test.ts';
import {
  workerChangeShape,
  type WorkerChangeInput,
} from '../../../../../domain/workers/worker-change.ts';
import type { WorkerInput, WorkerShape } from '../../../../../domain/workers/worker.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { MAX_VALUES, type JsonInspection } from '../../../exchange/json-inspection.ts';
import {
  decodeText,
  inspectBody,
  numberMistakes,
  parseJson,
  readJson,
} from '../../messages/json-text.ts';
import { MAX_MISTAKES, mistaken, type Mistake } from '../../messages/mistakes.ts';
import { bodyLimit } from '../../../exchange/request-body.ts';
import { LONG_BODY, type BodyFormat } from '../../messages/body-format.ts';
import { LargeBatch } from './large-batch.ts';
import { shapeMistakes } from './shape-mistakes.ts';

/** Creating more values at once would keep all other requests waiting. */
const MANY_VALUES = 40_000;

export const jobsBody: BodyFormat<readonly JobInput[]> = {
  expected: 'a JSON array of jobs',
  content: { 'application/json': { schema: bounded(MAX_VALUES, listOf(jobInputShape)).schema } },
  parse: (bytes, turns) => {
    const inspection = inspectBody(bytes);
    if (bytes.length > LONG_BODY || inspection.values > MANY_VALUES) {
      return jobsInTurns(bytes, inspection, turns);
    }
    const { value, mistakes } = readJson(bytes, inspection);
    return jobsOf(value, mistakes);
  },
};

async function jobsInTurns(
  bytes: Buffer,
  inspection: JsonInspection,
  turns: EventLoopTurns,
): Promise<readonly JobInput[]> {
  await turns.next();
  if (inspection.values <= MANY_VALUES) {
    const { value, mistakes } = readJson(bytes, inspection);
    await turns.next();
    return jobsOf(value, mistakes);
  }
  const batch = new LargeBatch(bytes);
  const value = await batch.read(turns);
  await turns.next();
  const read = inspection.unfit.filter(({ at }) => at < batch.position);
  return jobsOf(value, numberMistakes(bytes, read));
}

/** @throws DomainError `invalid-request` that reports the first mistakes. */
function jobsOf(value: unknown, numbers: readonly Mistake[]): readonly JobInput[] {
  if (!Array.isArray(value)) throw invalidRequest('The request body must be an array of jobs');
  const shapes: Mistake[] = [];
  for (let index = 0; index < value.length && shapes.length < MAX_MISTAKES; index += 1) {
    shapes.push(...shapeMistakes(jobInputShape, value[index], [index]));
  }
  if (numbers.length + shapes.length > 0) throw mistaken([...numbers, ...shapes], value);
  return value as readonly JobInput[];
}

/** No endpoint takes headers longer than this, and every replica keeps workers and hooks in memory. */
const MAX_WORKER_BODY = 262_144;

export const hookBody: BodyFormat<HookInput> = {
  ...shapedBody(hookShape, 'a hook as a JSON object'),
  limit: bodyLimit(MAX_WORKER_BODY),
};

export function workerBody(shape: WorkerShape): BodyFormat<WorkerInput> {
  return {
    ...shapedBody(shape, 'a worker as a JSON object'),
    limit: bodyLimit(MAX_WORKER_BODY),
  };
}

export const workerChangeBody: BodyFormat<WorkerChangeInput> = {
  ...shapedBody(workerChangeShape, 'changes as a JSON object'),
  limit: bodyLimit(MAX_WORKER_BODY),
};

export const jobRetryBody: BodyFormat<JobRetryInput> = {
  ...shapedBody(jobRetryShape, 'options and data as a JSON object'),
  whenAbsent: {},
};

export const jobCancellationBody: BodyFormat<JobCancellationInput> = {
  ...shapedBody(jobCancellationShape, 'a reason as a JSON object'),
  whenAbsent: {},
};

export const jobChangeBody: BodyFormat<JobChangeInput> = {
  ...shapedBody(jobChangeShape, 'changes as a JSON object'),
  whenAbsent: {},
};

export const jobClaimBody: BodyFormat<JobClaimInput> = {
  ...shapedBody(jobClaimShape, 'a claim as a JSON object'),
  whenAbsent: {},
};

/** @param most the most bytes of a return value. */
export function returnValueBody(most: number): BodyFormat<Json> {
  return {
    expected: 'any JSON value',
    content: { 'application/json': { schema: anyJson.schema } },
    whenAbsent: null,
    limit: { bytes: most, tooLarge: () => returnValueTooLarge(most) },
    parse: parseJson,
  };
}

export const failureReportBody: BodyFormat<FailureReport> = shapedBody(
  failureReportShape,
  'a reason as a JSON object',
);

export const lockExtensionBody: BodyFormat<LockExtension> = shapedBody(
  lockExtensionShape,
  'a lock as a JSON object',
);

export const releaseBody: BodyFormat<ReleaseReport> = {
  ...shapedBody(releaseReportShape, 'options as a JSON object'),
  whenAbsent: {},
};

export const bulkRepairBody: BodyFormat<BulkRepairInput> = {
  ...shapedBody(bulkRepairShape, 'a repair as a JSON object'),
  whenAbsent: {},
};

export function redriveBody(queueName: Shape<QueueName>): BodyFormat<RedriveInput> {
  return { ...shapedBody(redriveShape(queueName), 'a redrive as a JSON object'), whenAbsent: {} };
}

export const erasureBody: BodyFormat<ErasureInput> = shapedBody(
  erasureShape,
  'an erasure as a JSON object',
);

export const policyBody: BodyFormat<Policy> = {
  ...shapedBody(policyShape, 'a policy as a JSON object'),
  whenAbsent: {},
};

/** Nothing that may be stored takes more, even if the JSON text writes each character as an escape of six. */
const MAX_SCHEDULER_BODY = 1_048_576;

export const schedulerBody: BodyFormat<SchedulerInput> = {
  ...shapedBody(schedulerInputShape, 'a scheduler as a JSON object'),
  limit: { bytes: MAX_SCHEDULER_BODY, tooLarge: () => templateTooLarge('data') },
};

export const disablingBody: BodyFormat<DisablingOrder> = {
  ...shapedBody(disablingOrderShape, 'a reason as a JSON object'),
  whenAbsent: {},
};

export const workerTestBody: BodyFormat<WorkerTestInput> = {
  ...shapedBody(workerTestShape, 'the name and data of a job as a JSON object'),
  whenAbsent: {},
};

/** A ticket is kept for a while, and any holder of a token may ask for many. */
const MAX_GRANT_BODY = 16_384;

export const eventGrantBody: BodyFormat<EventGrant> = {
  ...shapedBody(eventGrantShape, 'queues and events as a JSON object'),
  limit: bodyLimit(MAX_GRANT_BODY),
  whenAbsent: {},
};

export const drainBody: BodyFormat<DrainOptions> = {
  ...shapedBody(drainOptionsShape, 'options as a JSON object'),
  whenAbsent: {},
};

export const holdBody = shapedBody(holdOrderShape, 'for how long as a JSON object');

export const groupSettingsBody = shapedBody(groupSettingsShape, 'the settings as a JSON object');

/** As many patterns as a token may have take less, even if the JSON text writes each character as an escape of six. */
const MAX_TOKEN_BODY = 131_072;

export const newTokenBody: BodyFormat<NewToken> = {
  ...shapedBody(newTokenShape, 'a token as a JSON object'),
  limit: bodyLimit(MAX_TOKEN_BODY),
};

export const tokenChangesBody: BodyFormat<TokenChanges> = {
  ...shapedBody(tokenChangesShape, 'what to change as a JSON object'),
  limit: bodyLimit(MAX_TOKEN_BODY),
  whenAbsent: {},
};

export const settingSetChangeBody: BodyFormat<SettingSetChange> = {
  ...shapedBody(settingSetChangeShape, 'a change as a JSON object'),
  whenAbsent: {},
};

export const rewrapBody: BodyFormat<RewrapOrder> = {
  ...shapedBody(rewrapOrderShape, 'options as a JSON object'),
  whenAbsent: {},
};

export const rotationBody: BodyFormat<Rotation> = {
  ...shapedBody(rotationShape, 'the overlap as a JSON object'),
  whenAbsent: {},
};

/** A body that has all its mistakes reported. */
function shapedBody<Body>(shape: Shape<Body>, expected: string): BodyFormat<Body> {
  return {
    expected,
    content: { 'application/json': { schema: shape.schema } },
    parse: (bytes) => {
      const { value, mistakes } = readJson(bytes);
      const shapes = shapeMistakes(shape, value, []);
      if (mistakes.length + shapes.length > 0) throw mistaken([...mistakes, ...shapes], value);
      return value as Body;
    },
  };
}

/** JSON text may write any character as an escape of six; quotes stand around a line. */
const MAX_REPORT_BODY = 6 * MAX_REPORT_SIZE + 2;

export const progressBody: BodyFormat<Json> = {
  expected: 'any JSON value',
  content: { 'application/json': { schema: anyJson.schema } },
  limit: { bytes: MAX_REPORT_BODY, tooLarge: progressTooLarge },
  parse: parseJson,
};

/** A longer one is refused by its bytes, with 413. */
const logLine = bounded(MAX_REPORT_SIZE, string);

/** A JSON string, or anything that is not JSON at all: then the body itself is the line. */
export const logBody: BodyFormat<string> = {
  expected: 'a log line',
  content: {
    'application/json': { schema: logLine.schema },
    'text/plain': { schema: logLine.schema },
  },
  limit: { bytes: MAX_REPORT_BODY, tooLarge: logLineTooLarge },
  parse: (bytes) => {
    const text = decodeText(bytes);
    const value = parsedJson(text);
    if (value === undefined) return text;
    if (typeof value !== 'string') throw invalidRequest('The log line must be a string');
    return value;
  },
};
