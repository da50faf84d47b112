/** What the form of a new hook holds, as it is typed. */
export interface HookDraft {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly queues: string;
  readonly format: string;
  /** The numbers that events need, by their fields. */
  readonly needs: Readonly<Record<string, string>>;
}

export const EMPTY_DRAFT: HookDraft = {
  id: '',
  url: '',
  events: [],
  queues: '',
  format: 'standard',
  needs: { oldestWaiting: '300', waiting: '1000', failureRate: '20', noWorker: '300' },
};

export const FORMATS = ['standard', 'cloudevents', 'slack', 'alertmanager'];

/** What a hook can say: the name of the event, and its meaning. */
export const EVENTS: readonly (readonly [name: string, meaning: string])[] = [
  ['queue.late', 'the oldest waiting job waits too long'],
  ['queue.full', 'too many jobs wait'],
  ['queue.failing', 'too many jobs fail'],
  ['queue.unserved', 'jobs wait without a worker'],
  ['worker.open', 'the breaker of a worker opened'],
  ['worker.disabled', 'a worker was disabled'],
  ['scheduler.missed', 'a scheduler missed a time'],
  ['job.failed', 'a job failed for good'],
  ['job.completed', 'a job completed'],
  ['job.expired', 'a job expired'],
  ['job.cancelled', 'a job was cancelled'],
  ['hook.failing', 'another hook cannot deliver'],
];

export interface Need {
  readonly field: string;
  readonly label: string;
}

/** The number that an event needs. */
export const NEEDS: Readonly<Record<string, Need>> = {
  'queue.late': { field: 'oldestWaiting', label: 'Longest wait, in seconds' },
  'queue.full': { field: 'waiting', label: 'Most waiting jobs' },
  'queue.failing': { field: 'failureRate', label: 'Most failed jobs, in percent' },
  'queue.unserved': { field: 'noWorker', label: 'Longest time without a worker, in seconds' },
};

/** The numbers as the API takes them. */
const VALUES: Readonly<Record<string, (typed: number) => unknown>> = {
  oldestWaiting: (seconds) => Math.round(seconds * 1000),
  waiting: (jobs) => jobs,
  failureRate: (percent) => ({ over: percent / 100 }),
  noWorker: (seconds) => Math.round(seconds * 1000),
};

/** The body of the request that stores the hook. */
export function bodyOf({ url, events, queues, format, needs }: HookDraft): object {
  const fields = events.flatMap((event) => NEEDS[event]?.field ?? []);
  const when = fields.map((field) => [field, VALUES[field]?.(Number(needs[field]))] as const);
  const patterns = queues
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  return {
    url,
    events,
    ...(patterns.length > 0 && { queues: patterns }),
    ...(when.length > 0 && { when: Object.fromEntries(when) as object }),
    format,
  };
}
