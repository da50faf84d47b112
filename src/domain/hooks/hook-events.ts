/** A job of a queue ended so, for good. */
export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.expired', 'job.cancelled'] as const;

export type JobEvent = (typeof JOB_EVENTS)[number];

/** What begins, lasts and is over. */
export const CONDITION_EVENTS = [
  'queue.late',
  'queue.full',
  'queue.failing',
  'queue.unserved',
  'worker.open',
  'worker.disabled',
] as const;

export type ConditionEvent = (typeof CONDITION_EVENTS)[number];

export const HOOK_EVENTS = [
  ...JOB_EVENTS,
  ...CONDITION_EVENTS,
  'scheduler.missed',
  'hook.failing',
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Each means all events with its beginning whose needs are given. */
export const EVENT_WILDCARDS = ['job.*', 'queue.*', 'worker.*'] as const;

type EventWildcard = (typeof EVENT_WILDCARDS)[number];

/** An event, or several of one kind, as a hook names them. */
export type NamedEvent = HookEvent | EventWildcard;

/** The events that a name means, whatever they need. */
export function eventsNamed(name: NamedEvent): readonly HookEvent[] {
  if (!isWildcard(name)) return [name];
  return HOOK_EVENTS.filter((event) => event.startsWith(name.slice(0, -1)));
}

/** Whether a name means several events. */
export function isWildcard(name: NamedEvent): name is EventWildcard {
  return name.endsWith('.*');
}

/** Whether an event is the end of a job. */
export function isJobEvent(event: HookEvent): event is JobEvent {
  return event.startsWith('job.');
}
