import type { OperationCatalogue } from '../../../../../application/operation-catalogue.ts';
import type { RepairCodes } from '../../../../../application/jobs/repair-codes.ts';
import type { Ordered } from '../../../../../application/operations/in-queue.ts';
import type { DocumentedOperation } from '../../../../../application/operations/operation.ts';
import { LONGEST_KEPT } from '../../../../../application/operations/signal-operations.ts';
import { invalidRequest } from '../../../../../domain/errors.ts';
import { REPAIR_KINDS, repairSelectionFields } from '../../../../../domain/jobs/bulk-repair.ts';
import { jobInputFields } from '../../../../../domain/jobs/job.ts';
import { jobOptionFields } from '../../../../../domain/jobs/job-options.ts';
import { LONGEST_HOLD, type HoldOrder } from '../../../../../domain/queues/hold.ts';
import { type StopOrder, stopReasonShape } from '../../../../../domain/values/stop.ts';
import { signalKeyShape, stepValueShape } from '../../../../../domain/steps/suspend-answer.ts';
import {
  anyJson,
  boolean,
  bounded,
  integer,
  mapOf,
  oneOf,
  optional,
  required,
  type Members,
} from '../../../../../domain/values/shape.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jobsBody } from '../schemas/body-formats.ts';
import { nameArgument, queueArgument } from './arguments.ts';
import { boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnswer } from './tool.ts';
import type { ToolUse } from './tool-use.ts';

/** The fields that a job and a message share. */
const messageFields = {
  name: jobInputFields.name,
  data: required(anyJson, 'What the endpoint gets'),
};

/** The controls of queues and groups. */
const controlFields = {
  action: required(oneOf('pause', 'resume', 'hold'), 'The action'),
  for: optional(integer(1, LONGEST_HOLD), 'Milliseconds to hold it'),
  reason: optional(stopReasonShape, 'Why'),
};

interface Controls<Place extends object> {
  readonly pause: DocumentedOperation<Place & Ordered<StopOrder>, unknown>;
  readonly resume: DocumentedOperation<Place, unknown>;
  readonly hold: DocumentedOperation<Place & Ordered<HoldOrder>, object>;
}

const DONE = { pause: 'is paused', resume: 'is not paused', hold: 'is held' } as const;

async function controlled<Place extends object>(
  thing: 'queue' | 'group',
  operations: Controls<Place>,
  place: Place,
  { action, for: time, reason }: Members<typeof controlFields>,
  use: ToolUse,
): Promise<ToolAnswer> {
  const text = `The ${thing} ${DONE[action]}`;
  const why = { ...(reason !== undefined && { reason }) };
  if (action === 'resume' && reason !== undefined)
    throw invalidRequest(`reason must be given to pause or hold a ${thing} only`, 'reason');
  if (action !== 'hold') {
    if (time !== undefined)
      throw invalidRequest(`for must be given to hold a ${thing} only`, 'for');
    if (action === 'pause') await use.perform(operations.pause, { ...place, order: why });
    else await use.perform(operations.resume, place);
    return { text };
  }
  if (time === undefined) throw invalidRequest('for is required', 'for');
  const data = await use.perform(operations.hold, { ...place, order: { for: time, ...why } });
  return { text, data, isOwn: true };
}

/** The operation that does something else first, once its caller is known to be allowed to perform it. */
function after<Input, Answer>(
  first: () => Promise<void>,
  operation: DocumentedOperation<Input, Answer>,
): DocumentedOperation<Input, Answer> {
  return {
    ...operation,
    perform: async (input, way) => {
      await first();
      return operation.perform(input, way);
    },
  };
}

/** Tools that change something. */
export function changingTools(
  { jobs, bulkRepairs, queues, groups, hooks, schedulers, signals, topics }: OperationCatalogue,
  codes: Pick<RepairCodes, 'issue' | 'use'>,
  turns: EventLoopTurns,
): readonly Tool[] {
  return [
    tool({
      name: 'repair',
      description:
        'Retry, promote, clean (remove) or cancel many jobs of a queue. Without `confirm` nothing ' +
        'is changed: the answer has how many jobs match, samples, and a code. With that code as ' +
        '`confirm` and the same arguments, within 60 s, it is made. Ask a person first.',
      of: bulkRepairs.retryJobs,
      hints: { destructiveHint: true },
      input: {
        queue: queueArgument,
        action: required(oneOf(...REPAIR_KINDS), 'The action on the jobs'),
        ...repairSelectionFields,
        confirm: optional(nameArgument, 'The code'),
      },
      call: async ({ queue, action, confirm, ...input }, use) => {
        const operation = bulkRepairs[`${action}Jobs`];
        const { filter, all } = input;
        const repair = { caller: use.caller.id, queue, kind: action, input: { filter, all } };
        if (confirm !== undefined) {
          const confirmed = after(() => codes.use(confirm, repair), operation);
          const data = await use.perform(confirmed, { queue, order: input });
          return { data, isOwn: true };
        }
        const order = { ...input, dryRun: true };
        const { matched, samples } = await use.perform(operation, { queue, order });
        const code = await codes.issue(repair);
        return {
          text:
            `Nothing is changed yet: ${matched} jobs match. To ${action} them, call repair ` +
            `again within 60 s with the same arguments and with confirm: ${code}`,
          data: { matched, samples, confirm: code },
          isOwn: true,
        };
      },
    }),
    tool({
      name: 'send_signal',
      description:
        'Wake jobs of a queue that wait for a signal. As with repair, a call without `confirm` ' +
        'only answers the code that it takes. Ask a person first.',
      of: signals.sendSignal,
      input: {
        queue: queueArgument,
        key: required(signalKeyShape, 'Its key'),
        body: optional(stepValueShape, 'Its value; true when absent'),
        keep: optional(integer(0, LONGEST_KEPT), 'Milliseconds to keep it'),
        confirm: optional(nameArgument, 'The code'),
      },
      call: async ({ queue, key, body: order = true, keep, confirm }, use) => {
        const { sendSignal } = signals;
        const input = { queue, key, keep, order };
        const same = { key, order, keep };
        const signal = { caller: use.caller.id, queue, kind: 'signal', input: same } as const;
        if (confirm !== undefined) {
          const confirmed = after(() => codes.use(confirm, signal), sendSignal);
          const { woken } = await use.perform(confirmed, input);
          return { data: { woken }, isOwn: true };
        }
        // Only for those who may send it, and it is not sent yet.
        let code = '';
        const perform = async (): Promise<void> => {
          code = await codes.issue(signal);
        };
        await use.perform({ ...sendSignal, perform }, input);
        return {
          text:
            'Nothing is sent yet. To send it, call send_signal again within 60 s with the same ' +
            `arguments and with confirm: ${code}`,
          data: { confirm: code },
          isOwn: true,
        };
      },
    }),
    tool({
      name: 'control_queue',
      description:
        'Pause a queue (no job starts), resume it, or hold it for a time. Jobs that run go on.',
      of: queues.pauseQueue,
      hints: { idempotentHint: true },
      input: { queue: queueArgument, ...controlFields },
      call: ({ queue, ...order }, use) => {
        const { pauseQueue: pause, resumeQueue: resume, holdQueue: hold } = queues;
        return controlled('queue', { pause, resume, hold }, { queue }, order, use);
      },
    }),
    tool({
      name: 'control_group',
      description: 'Pause, resume or hold one group, as `control_queue` does a queue.',
      of: groups.pauseGroup,
      hints: { idempotentHint: true },
      input: {
        queue: queueArgument,
        id: required(nameArgument, 'The group'),
        ...controlFields,
      },
      call: ({ queue, id: group, ...order }, use) => {
        const { pauseGroup: pause, resumeGroup: resume, holdGroup: hold } = groups;
        return controlled('group', { pause, resume, hold }, { queue, group }, order, use);
      },
    }),
    tool({
      name: 'control_hook',
      description:
        'Send a sample message of a hook (`test`), or one of its latest messages again (`resend`).',
      of: hooks.testHook,
      hints: { openWorldHint: true },
      input: {
        id: required(nameArgument, 'The hook'),
        action: required(oneOf('test', 'resend'), 'The action'),
        message: optional(nameArgument, 'The message to resend'),
      },
      call: async ({ id: hook, action, message: delivery }, use) => {
        if (action === 'test') {
          if (delivery !== undefined)
            throw invalidRequest('message must be given to resend one only', 'message');
          return { data: boundedJob(await use.perform(hooks.testHook, { hook })) };
        }
        if (delivery === undefined) throw invalidRequest('message is required', 'message');
        await use.perform(hooks.resendHookDelivery, { hook, delivery });
        return { text: 'The message is sent again' };
      },
    }),
    tool({
      name: 'run_scheduler',
      description: 'Add a job like those of a scheduler now.',
      of: schedulers.runScheduler,
      input: { queue: queueArgument, id: required(nameArgument, 'The scheduler') },
      call: async ({ queue, id: schedulerId }, use) => ({
        data: boundedJob(await use.perform(schedulers.runScheduler, { queue, schedulerId })),
      }),
    }),
    tool({
      name: 'add_job',
      description: 'Add one job to a queue.',
      of: jobs.addJobs,
      input: {
        queue: queueArgument,
        ...messageFields,
        opts: optional(
          bounded(
            Object.keys(jobOptionFields).length,
            mapOf(nameArgument, anyJson, 'be an object'),
          ),
          'Options, such as `{"delay": 60000, "attempts": 3, "priority": 1, "jobId": "x"}`',
        ),
      },
      call: async ({ queue, ...job }, use) => {
        const order = await jobsBody.parse(Buffer.from(JSON.stringify([job])), turns);
        const [added] = [...(await use.perform(jobs.addJobs, { queue, order })).jobs];
        return { data: boundedJob(added ?? {}) };
      },
    }),
    tool({
      name: 'publish',
      description: 'Publish a message to a topic: each subscription that it matches gets a job.',
      of: topics.publish,
      input: {
        topic: required(nameArgument, 'The topic'),
        ...messageFields,
        dryRun: optional(boolean, 'Whether nothing is added'),
      },
      call: async ({ topic, dryRun = false, ...message }, use) => {
        const order = await jobsBody.parse(Buffer.from(JSON.stringify([message])), turns);
        const { published = [] } = await use.perform(topics.publish, { topic, dryRun, order });
        return { data: [published].flat()[0] ?? {} };
      },
    }),
  ];
}
