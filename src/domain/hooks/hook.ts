import { queuePatterns, queuesShape } from '../access/queue-patterns.ts';
import {
  checkSizeOfHeaders,
  endpointHeadersShape,
  MAX_HEADERS,
} from '../calls/endpoint-headers.ts';
import { endpointUrlShape } from '../calls/endpoint.ts';
import type { SigningSecrets } from '../calls/signing.ts';
import { invalidRequest } from '../errors.ts';
import { checkShape } from '../values/check-shape.ts';
import { plainName } from '../values/plain-name.ts';
import {
  boolean,
  bounded,
  integer,
  listOf,
  nonEmpty,
  nullable,
  numberFrom,
  object,
  oneOf,
  optional,
  required,
  type Shaped,
} from '../values/shape.ts';
import { type Stop, stopReasonShape } from '../values/stop.ts';
import {
  EVENT_WILDCARDS,
  eventsNamed,
  HOOK_EVENTS,
  isJobEvent,
  isWildcard,
  type HookEvent,
  type NamedEvent,
} from './hook-events.ts';

/** How many hooks the service has at most: every replica holds all of them in memory. */
export const MOST_HOOKS = 100;

const MOST_EVENTS = 20;
const [MINUTE, DAY, WEEK] = [60_000, 86_400_000, 604_800_000];

/** The shapes of what a receiver gets. */
export const HOOK_FORMATS = ['standard', 'cloudevents', 'slack', 'alertmanager'] as const;

export type HookFormat = (typeof HOOK_FORMATS)[number];

/** The id of a hook, as a client chooses it. */
export const hookIdShape = plainName('on-call');

const failureRateShape = object('HookFailureRate', {
  over: required(numberFrom(0, 1), 'The part of the jobs that may fail: more is too many'),
  window: optional(integer(MINUTE, DAY), 'Over how long (ms): the last 600000 unless given'),
  atLeast: optional(integer(1), 'How many jobs must end in it: 10 unless given'),
});

const conditionsShape = object('HookConditions', {
  oldestWaiting: optional(integer(0), 'How long (ms) the oldest waiting job may wait'),
  waiting: optional(integer(1), 'How many jobs may wait'),
  failureRate: optional(failureRateShape, 'How many jobs may fail'),
  noWorker: optional(integer(0), 'How long (ms) jobs may wait without a worker and a claim'),
  missed: optional(
    integer(0),
    'How long (ms) after its time the job of a scheduler may be absent: 60000 unless given',
  ),
});

/** What a client says of a hook. */
export const hookFields = {
  url: required(
    endpointUrlShape,
    'Where messages are sent: http or https, without user name or password',
  ),
  headers: optional(
    endpointHeadersShape,
    `Headers of every call, which often hold a secret: at most ${MAX_HEADERS} characters of names and values together`,
    'Headers of every call, which often hold a secret',
  ),
  signing: optional(boolean, 'Whether calls are signed after Standard Webhooks; true unless given'),
  events: required(
    bounded(
      MOST_EVENTS,
      nonEmpty(
        listOf(oneOf(...HOOK_EVENTS, ...EVENT_WILDCARDS)),
        `be an array, not empty, of events: ${[...HOOK_EVENTS, ...EVENT_WILDCARDS].join(', ')}`,
      ),
    ),
    'The events that it reports: their names, or `job.*`, `queue.*`, `worker.*` for all whose needs are given',
  ),
  queues: optional(
    queuesShape,
    'Of which queues; of several patterns the last that matches counts. All unless given',
  ),
  when: optional(conditionsShape, 'From when on something is wrong'),
  for: optional(
    integer(0, DAY),
    'How long (ms) a condition must hold before it is reported: 60000 unless given',
  ),
  repeat: optional(
    nullable(integer(MINUTE, WEEK)),
    'After how long (ms) a condition that lasts is reported again; never unless given',
  ),
  distinct: optional(
    oneOf('cause'),
    '`cause` reports the first failure of each cause in 24 hours; only for `job.failed`',
  ),
  format: optional(oneOf(...HOOK_FORMATS), 'The shape of its messages: standard unless given'),
  paused: optional(boolean, 'Whether it makes no messages, and sends none'),
};

/** A hook as a client describes it (reach contract, section 17). */
export const hookShape = object('Hook', {
  ...hookFields,
  reason: optional(stopReasonShape, 'Why it is paused, for those who ask; only with `paused`'),
});

export type HookInput = Shaped<typeof hookShape>;

/** When something is wrong, with all that its thresholds need. */
export type HookConditions = Omit<Shaped<typeof conditionsShape>, 'failureRate'> & {
  readonly failureRate?: Required<Shaped<typeof failureRateShape>>;
};

/** What a hook has even if a client leaves it out. */
type Completed = 'signing' | 'for' | 'repeat' | 'format' | 'paused';

/** A hook with what it has unless a client says otherwise. */
export type HookSettings = Omit<HookInput, Completed | 'when' | 'reason'> &
  Required<Pick<HookInput, Completed>> & { readonly when?: HookConditions };

/** A hook as it is stored: where the service says what is wrong, and when it is over. */
export interface Hook extends HookSettings {
  readonly id: string;
  /** Present while calls are signed. */
  readonly secrets?: SigningSecrets;
  /** Who paused it, when and why; absent when the service did. */
  readonly pause?: Stop | undefined;
  /** Why the service paused it; absent when a client did. */
  readonly pausedReason?: string;
  /** Epoch ms; kept when the hook is replaced. */
  readonly createdAt: number;
  /** Whether who stored it could read the values of jobs. */
  readonly data: boolean;
  /** Why its secrets cannot be decrypted here; never stored. */
  readonly unreadable?: string;
}

/** What each event needs of `when`. */
const NEEDS: Partial<Record<HookEvent, keyof HookConditions>> = {
  'queue.late': 'oldestWaiting',
  'queue.full': 'waiting',
  'queue.failing': 'failureRate',
  'queue.unserved': 'noWorker',
};

const FAILURE_RATE = { window: 600_000, atLeast: 10 };

/** After how long (ms) a scheduler has missed a time, unless a hook says otherwise. */
export const MISSED_AFTER = 60_000;

/**
 * Checks a hook from a client, and completes it.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkedHook(input: HookInput): HookSettings {
  checkShape(hookShape, input, '');
  checkSizeOfHeaders(input.headers ?? {}, 'headers');
  for (const name of input.events) checkNeeds(name, input.when ?? {});
  const { signing = true, when, repeat = null, format = 'standard', paused = false } = input;
  const { for: lasting = MINUTE, reason, ...others } = input;
  if (reason !== undefined && !paused) {
    throw invalidRequest('reason must be given with paused only', 'reason');
  }
  const settings: HookSettings = {
    ...others,
    signing,
    ...(when && { when: completed(when) }),
    for: lasting,
    repeat,
    format,
    paused,
  } as HookSettings;
  if (
    settings.distinct !== undefined &&
    [...eventsOf(settings)].some((each) => each !== 'job.failed')
  ) {
    throw invalidRequest('distinct is only for the event job.failed', 'distinct');
  }
  return settings;
}

/** All events that a hook names, without those of its wildcards that lack what they need. */
export function eventsOf({
  events,
  when = {},
}: Pick<HookSettings, 'events' | 'when'>): ReadonlySet<HookEvent> {
  return new Set(
    events.flatMap((name) => eventsNamed(name).filter((event) => hasNeeds(event, when))),
  );
}

/** Whether a hook is about the jobs of queues, as no caller without the right `data` may have one. */
export function isAboutJobs(hook: Pick<HookSettings, 'events' | 'when'>): boolean {
  return [...eventsOf(hook)].some(isJobEvent);
}

/** Whether a hook is about a queue. The answer is costly to prepare: callers keep it. */
export function queuesOf({ queues }: Pick<HookSettings, 'queues'>): (queue: string) => boolean {
  return queuePatterns(queues ?? null);
}

function completed({ failureRate, ...others }: Shaped<typeof conditionsShape>): HookConditions {
  return { ...others, ...(failureRate && { failureRate: { ...FAILURE_RATE, ...failureRate } }) };
}

function hasNeeds(event: HookEvent, when: object): boolean {
  const need = NEEDS[event];
  return need === undefined || (when as HookConditions)[need] !== undefined;
}

function checkNeeds(name: NamedEvent, when: object): void {
  const named = eventsNamed(name);
  if (named.some((event) => hasNeeds(event, when))) return;
  const fields = named.map((event) => `when.${String(NEEDS[event])}`);
  const needed = isWildcard(name)
    ? `${fields.slice(0, -1).join(', ')} or ${String(fields.at(-1))}`
    : fields.join('');
  throw invalidRequest(`${needed} is required for ${name}`, isWildcard(name) ? 'when' : fields[0]);
}
