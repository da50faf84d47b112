import type { RunByHand, SchedulerSource, SchedulerTemplate } from '../schedulers/scheduler.ts';
import type { SchedulerState } from '../schedulers/slot.ts';

export interface SchedulerRecord {
  readonly id: string;
  readonly job: SchedulerTemplate;
  readonly state: SchedulerState;
  readonly source?: SchedulerSource | undefined;
  readonly runByHand?: Omit<RunByHand, 'state'> | undefined;
}
