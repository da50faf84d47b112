import type { Caller } from '../../domain/access/caller.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import type { PushSchedules, ScheduledPush, ShownSchedule } from '../pushes/push-schedules.ts';
import { plainOperation } from './operation.ts';
import { pushShownTo } from './pushed-message-operations.ts';

interface OfScheduler {
  readonly schedulerId: string;
}

const inQueue = { queuesOf: () => [PUSH_QUEUE] };

/** Schedules of messages (further contract, section 24). */
export function pushScheduleOperations(schedules: PushSchedules) {
  return {
    saveSchedule: plainOperation({
      access: 'configure',
      action: 'scheduler.save',
      queuesOf: ({ message }: ScheduledPush) => [PUSH_QUEUE, message.queue],
      // Its first slot may be now.
      jobsOf: () => 1,
      perform: (schedule: ScheduledPush, { caller }) => schedules.save(schedule, caller),
      report: { line: 'Schedule stored', fields: (id) => ({ schedulerId: id }) },
    }),
    readSchedule: plainOperation({
      access: 'read',
      ...inQueue,
      perform: ({ schedulerId }: OfScheduler) => schedules.read(schedulerId),
      view: (schedule, caller) => scheduleShownTo(caller, schedule),
    }),
    listSchedules: plainOperation({
      access: 'read',
      ...inQueue,
      perform: () => schedules.list(),
      view: (listed, caller) => listed.map((each) => scheduleShownTo(caller, each)),
    }),
  };
}

function scheduleShownTo(caller: Caller, { message, ...schedule }: ShownSchedule) {
  return { ...schedule, message: pushShownTo(caller, message) };
}
