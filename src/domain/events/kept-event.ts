import { carriesValue } from './event-details.ts';

/** An event of a queue as it is kept. */
export interface KeptEvent {
  /** One of ours, or one that only native clients know. */
  readonly name: string;
  readonly jobId: string | undefined;
  readonly group: string | undefined;
  /** What it carries besides the job: text, JSON text or a time, depending on its name. */
  readonly detail: string | number | undefined;
}

/** Whether an event carries a value of one of the jobs. */
export function carriesValueOf(
  ids: ReadonlySet<string>,
  { name, jobId = '' }: Pick<KeptEvent, 'name' | 'jobId'>,
): boolean {
  return ids.has(jobId) && carriesValue(name);
}
