import type { RepairCodes } from '../../../../../application/jobs/repair-codes.ts';
import type { Ordered } from '../../../../../application/operations/in-queue.ts';
import type { Operation } from '../../../../../application/operations/operation.ts';
import { LONGEST_KEPT } from '../../../../../application/operations/signal-operations.ts';
import { invalidRequest } from '../../../../../domain/errors.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import { REPAIR_KINDS, repairSelectionFields } from '../../../../../domain/jobs/bulk-repair.ts';
import { jobInputFields } from '../../../../../domain/jobs/job.ts';
import { jobOptionFields } from '../../../../../domain/jobs/job-options.ts';
import { LONGEST_HOLD, type HoldOrder } from '../../../../../domain/queues/hold.ts';
import {
  LONGEST_KEY,
  signalKeyShape,
  stepValueShape,
} from '../../../../../domain/steps/suspend-answer.ts';
import {
  anyJson,
  bounded,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  required,
} from '../../../../../domain/values/shape.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jobsBody } from '../schemas/body-formats.ts';
import { nameArgument, queueArgument } from './arguments.ts';
import { boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnnotations, type ToolAnswer } from './tool.ts';
import type { ToolUse } from './tool-use.ts';

const annotations: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** The controls of queues and groups. */
const controlFields = {
  action: required(oneOf('pause', 'resume', 'hold'), 'The action'),
  for: optional(integer(1, LONGEST_HOLD), 'How long to hold it, in milliseconds'),
};

interface Controls<Place> {
  readonly pause: Operation<Place, unknown>;
  readonly resume: Operation<Place, unknown>;
  readonly hold: Operation<Place & Ordered<HoldOrder>, object>;
}

const DONE = { pause: 'is paused', resume: 'is not paused', hold: 'is held' } as const;

async function controlled<Place>(
  thing: 'queue' | 'group',
  operations: Controls<Place>,
  place: Place,
  { action, for: time }: { readonly action: keyof typeof DONE; readonly for?: number | undefined },
  use: ToolUse,
): Promise<ToolAnswer> {
  const text = `The ${thing} ${DONE[action]}`;
  if (action !== 'hold') {
    if (time !== undefined)
      throw invalidRequest(`for must be given to hold a ${thing} only`, 'for');
    await use.perform(operations[action], place);
    return { text };
  }
  if (time === undefined) throw invalidRequest('for is required', 'for');
  const data = await use.perform(operations.hold, { ...place, order: { for: time } });
  return { text, data, isOwn: true };
}

/** The operation that does something else first, once its caller is known to be allowed to perform it. */
function after<Input, Answer>(
  first: () => Promise<void>,
  operation: Operation<Input, Answer>,
): Operation<Input, Answer> {
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
      right: 'operate',
      annotations: { ...annotations, destructiveHint: true },
      input: object('Repair', {
        queue: queueArgument,
        action: required(oneOf(...REPAIR_KINDS), 'The action on the jobs'),
        ...repairSelectionFields,
        confirm: optional(nameArgument, 'The code of the preview'),
      }),
      call: async ({ queue: name, action, confirm, ...input }, use) => {
        const operation = use.catalogue.bulkRepairs[action];
        const place = { queue: name as QueueName };
        const { filter, all } = input;
        const repair = { caller: use.caller.id, queue: name, kind: action, input: { filter, all } };
        if (confirm !== undefined) {
          const confirmed = after(() => codes.use(confirm, repair), operation);
          return { data: await use.perform(confirmed, { ...place, order: input }), isOwn: true };
        }
        const order = { ...input, dryRun: true };
        const { matched, samples } = await use.perform(operation, { ...place, order });
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
        'Wake the jobs of a queue that wait for a signal. As with repair, a call without `confirm` ' +
        'only answers the code that it takes. Ask a person first.',
      right: 'add',
      annotations,
      input: object('SendSignal', {
        queue: queueArgument,
        key: required(bounded(LONGEST_KEY, signalKeyShape), 'The key of the signal'),
        body: optional(stepValueShape, 'What they get; true when absent'),
        keep: optional(integer(0, LONGEST_KEPT), 'Milliseconds to keep it'),
        confirm: optional(nameArgument, 'The code'),
      }),
      call: async ({ queue: name, key, body: order = true, keep, confirm }, use) => {
        const { send } = use.catalogue.signals;
        const input = { queue: name as QueueName, key, keep, order };
        const signal = {
          ...{ caller: use.caller.id, queue: name, kind: 'signal' as const },
          input: { key, order, keep },
        };
        if (confirm !== undefined) {
          const confirmed = after(() => codes.use(confirm, signal), send);
          const { woken } = await use.perform(confirmed, input);
          return { data: { woken }, isOwn: true };
        }
        // Only for those who may send it, and it is not sent yet.
        let code = '';
        const perform = async (): Promise<void> => {
          code = await codes.issue(signal);
        };
        await use.perform({ ...send, perform }, input);
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
        'Pause a queue (no job starts until it is resumed), resume it, or hold it: no job starts ' +
        'for a time. Jobs that run go on.',
      right: 'operate',
      annotations: { ...annotations, idempotentHint: true },
      input: object('ControlQueue', { queue: queueArgument, ...controlFields }),
      call: ({ queue, ...order }, use) =>
        controlled('queue', use.catalogue.queues, { queue: queue as QueueName }, order, use),
    }),
    tool({
      name: 'control_group',
      description: 'Pause, resume or hold one group of a queue, as `control_queue` does a queue.',
      right: 'operate',
      annotations: { ...annotations, idempotentHint: true },
      input: object('ControlGroup', {
        queue: queueArgument,
        id: required(nameArgument, 'The id of the group'),
        ...controlFields,
      }),
      call: ({ queue, id: group, ...order }, use) =>
        controlled('group', use.catalogue.groups, { queue: queue as QueueName, group }, order, use),
    }),
    tool({
      name: 'control_hook',
      description:
        'Send a sample message of a hook (`test`), or one of its latest messages again (`resend`).',
      right: 'operate',
      annotations: { ...annotations, openWorldHint: true },
      input: object('ControlHook', {
        id: required(nameArgument, 'The id of the hook'),
        action: required(oneOf('test', 'resend'), 'The action'),
        message: optional(nameArgument, 'The id of the message to resend'),
      }),
      call: async ({ id: hook, action, message }, use) => {
        const { hooks } = use.catalogue;
        if (action === 'test') {
          if (message !== undefined)
            throw invalidRequest('message must be given to resend one only', 'message');
          return { data: boundedJob(await use.perform(hooks.test, { hook })) };
        }
        if (message === undefined) throw invalidRequest('message is required', 'message');
        await use.perform(hooks.resend, { hook, delivery: message });
        return { text: 'The message is sent again' };
      },
    }),
    tool({
      name: 'run_scheduler',
      description: 'Add a job like those of a scheduler now, outside its schedule.',
      right: 'operate',
      annotations,
      input: object('RunScheduler', {
        queue: queueArgument,
        id: required(nameArgument, 'The id of the scheduler'),
      }),
      call: async ({ queue: name, id: schedulerId }, use) => {
        const place = { queue: name as QueueName, schedulerId };
        return { data: boundedJob(await use.perform(use.catalogue.schedulers.run, place)) };
      },
    }),
    tool({
      name: 'add_job',
      description: 'Add one job to a queue.',
      right: 'add',
      annotations,
      input: object('AddJob', {
        queue: queueArgument,
        name: jobInputFields.name,
        data: required(anyJson, 'The data that the endpoint gets'),
        opts: optional(
          bounded(
            Object.keys(jobOptionFields).length,
            mapOf(nameArgument, anyJson, 'be an object'),
          ),
          'Options, such as `{"delay": 60000, "attempts": 3, "priority": 1, "jobId": "x"}`',
        ),
      }),
      call: async ({ queue: name, ...job }, use) => {
        const { jobs } = use.catalogue;
        const order = await jobsBody.parse(Buffer.from(JSON.stringify([job])), turns);
        const input = { queue: name as QueueName, order, wait: undefined };
        const [added] = [...(await use.perform(jobs.add, input)).jobs];
        return { data: boundedJob(added ?? {}) };
      },
    }),
  ];
}
