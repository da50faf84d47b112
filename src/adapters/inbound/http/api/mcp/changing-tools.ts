import type { RepairCodes } from '../../../../../application/jobs/repair-codes.ts';
import { invalidRequest } from '../../../../../domain/errors.ts';
import { REPAIR_KINDS, repairSelectionFields } from '../../../../../domain/jobs/bulk-repair.ts';
import { jobInputFields } from '../../../../../domain/jobs/job.ts';
import { jobOptionFields } from '../../../../../domain/jobs/job-options.ts';
import { LONGEST_HOLD } from '../../../../../domain/queues/hold.ts';
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
import { nameArgument, queueArgument } from './arguments.ts';
import { boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnnotations } from './tool.ts';

const annotations: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

const REPAIRS = {
  retry: 'retryJobs',
  promote: 'promoteJobs',
  clean: 'cleanJobs',
  cancel: 'cancelJobs',
} as const;

const CONTROLS = {
  pause: { operationId: 'pauseQueue', done: 'The queue is paused' },
  resume: { operationId: 'resumeQueue', done: 'The queue is not paused' },
  hold: { operationId: 'holdQueue', done: 'The queue is held' },
} as const;

/** Tools that change something. */
export function changingTools(codes: RepairCodes): readonly Tool[] {
  return [
    tool({
      name: 'repair',
      description:
        'Retry, promote, clean (remove) or cancel many jobs of a queue. Without `confirm` nothing ' +
        'is changed: the answer has how many jobs match, samples, and a code. With that code as ' +
        '`confirm`, and otherwise the same arguments, within 60 s, the repair is made. Ask a person first.',
      right: 'operate',
      annotations: { ...annotations, destructiveHint: true },
      input: object('Repair', {
        queue: queueArgument,
        action: required(oneOf(...REPAIR_KINDS), 'The action on the jobs'),
        ...repairSelectionFields,
        confirm: optional(nameArgument, 'The code of the preview'),
      }),
      call: async ({ queue: name, action, confirm, ...input }, { operations, caller }) => {
        const operationId = REPAIRS[action];
        const parameters = { queue: name };
        const repair = { caller: caller.id, queue: name, kind: action, input };
        if (confirm !== undefined) {
          const before = (): Promise<void> => codes.use(confirm, repair);
          const data = await operations.read(operationId, { parameters, body: input, before });
          return { data, isOwn: true };
        }
        const body = { ...input, dryRun: true };
        const { matched, samples } = await operations.read(operationId, { parameters, body });
        const code = await codes.issue(repair);
        return {
          text:
            `Nothing is changed yet: ${String(matched)} jobs match. To ${action} them, call repair ` +
            `again within 60 s with the same arguments and with confirm: ${code}`,
          data: { matched, samples, confirm: code },
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
      input: object('ControlQueue', {
        queue: queueArgument,
        action: required(oneOf('pause', 'resume', 'hold'), 'The action'),
        for: optional(integer(1, LONGEST_HOLD), 'How long to hold it, in milliseconds'),
      }),
      call: async ({ queue: name, action, for: time }, { operations }) => {
        if (action === 'hold' && time === undefined) throw invalidRequest('for is required', 'for');
        if (action !== 'hold' && time !== undefined) {
          throw invalidRequest('for must be given to hold a queue only', 'for');
        }
        const { operationId, done } = CONTROLS[action];
        const body = time === undefined ? undefined : { for: time };
        const answer = await operations.run(operationId, { parameters: { queue: name }, body });
        if (action !== 'hold') return { text: done };
        return { text: done, data: JSON.parse(answer) as Record<string, unknown>, isOwn: true };
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
      call: async ({ queue: name, id: schedulerId }, { operations }) => ({
        data: boundedJob(
          await operations.read('runScheduler', { parameters: { queue: name, schedulerId } }),
        ),
      }),
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
      call: async ({ queue: name, ...job }, { operations }) => {
        const input = { parameters: { queue: name }, body: [job] };
        const [added] = JSON.parse(await operations.run('addJobs', input)) as Record<
          string,
          unknown
        >[];
        return { data: boundedJob(added ?? {}) };
      },
    }),
  ];
}
