import {
  GROUP_SORTS,
  GROUP_STATES,
  MOST_SORTED,
} from '../../../../../domain/groups/groups-query.ts';
import { dataMatch } from '../../../../../domain/jobs/data-match.ts';
import type { DemandInput } from '../../../../../application/operations/demand-operations.ts';
import type { GroupListInput } from '../../../../../application/operations/group-operations.ts';
import type { JobSearchInput } from '../../../../../application/operations/job-search-operations.ts';
import type { QueueListInput } from '../../../../../application/operations/queue-operations.ts';
import type { WorkerListInput } from '../../../../../application/operations/worker-operations.ts';
import type { AuditQuery } from '../../../../../application/audit/audit.ts';
import { AUDIT_OUTCOMES, auditCursor } from '../../../../../domain/audit/audit-entry.ts';
import { digestInterval } from '../../../../../domain/digests/event-digest.ts';
import { eventId } from '../../../../../domain/events/event-id.ts';
import { failuresWindow } from '../../../../../domain/jobs/failures.ts';
import { MOST_FLOW_JOBS } from '../../../../../domain/flows/flow.ts';
import { jobFilterFields } from '../../../../../domain/jobs/job-filter.ts';
import { causesLength, failuresAge } from '../../../../../domain/figures/failures-window.ts';
import type { FiguresQuery } from '../../../../../domain/figures/figure-series.ts';
import { STEPS } from '../../../../../domain/figures/figure-steps.ts';
import { LISTED_STATES, ORDERS, QUEUE_SORTS } from '../../../../../domain/queues/listed-states.ts';
import { callsLength, KEPT_CALLS } from '../../../../../domain/calls/latest-calls.ts';
import { WORKER_STATES } from '../../../../../domain/workers/worker-health.ts';
import type { RemovalOrder } from '../../../../../application/queues/queues.ts';
import { resultTimeout } from '../../../../../domain/jobs/job-result.ts';
import {
  isJobState,
  JOB_STATES,
  JOB_STATUSES,
  type JobState,
} from '../../../../../domain/jobs/job-status.ts';
import {
  DEFAULT_PER_WORKER,
  MOST_DEMAND_PATTERNS,
  perWorkerShape,
} from '../../../../../domain/queues/demand.ts';
import { namePatternShape } from '../../../../../domain/queues/name-pattern.ts';
import {
  EVENT_NAMES,
  isEventName,
  type EventName,
} from '../../../../../domain/events/queue-event.ts';
import {
  longItemsLength,
  pageLength,
  pageStart,
  type Page,
} from '../../../../../domain/values/page.ts';
import type { AllSchedulersQuery } from '../../../../../application/schedulers/schedulers.ts';
import {
  MAX_LISTED_SCHEDULERS,
  SCHEDULER_SORTS,
} from '../../../../../domain/schedulers/scheduler.ts';
import { searchLength } from '../../../../../domain/jobs/search-length.ts';
import {
  boolean,
  integer,
  oneOf,
  optional,
  string,
  type Field,
  type Shape,
} from '../../../../../domain/values/shape.ts';
import { excerpt } from '../../../../../domain/values/text.ts';
import { eventCursor } from '../../messages/event-format.ts';
import type { QueryParameter, QuerySchema } from '../../messages/query.ts';

const summaryView = textParameter(
  optional(oneOf('summary'), 'With `summary`, jobs without what clients put into them'),
);

export const jobQuery: QuerySchema<{ readonly view: 'summary' | undefined }> = {
  view: summaryView,
};

export const jobLogsQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many lines to skip'),
  length: wholeNumber(pageLength, 10, 'Most lines to return'),
};

export const jobResultQuery: QuerySchema<{ readonly timeout: number }> = {
  timeout: wholeNumber(resultTimeout, 30_000, 'Most milliseconds to wait'),
};

export const jobSearchQuery: QuerySchema<Omit<JobSearchInput, 'queue'>> = {
  statuses: statusList(),
  name: textParameter(jobFilterFields.name),
  group: textParameter(jobFilterFields.group),
  reason: textParameter(jobFilterFields.reason),
  status: optionalNumber(jobFilterFields.status),
  from: optionalNumber(jobFilterFields.from),
  to: optionalNumber(jobFilterFields.to),
  data: {
    description: 'A value in the data: its path, a colon and the value, such as customer.id:17',
    schema: { type: 'string', pattern: '^[^:]+:' },
    parse: (text, refuse) => {
      const match = text === undefined ? undefined : dataMatch(text);
      if (text !== undefined && match === undefined) {
        refuse('must be a path, a colon and a value, such as customer.id:17');
      }
      return match;
    },
  },
  cursor: {
    description: 'The cursor of the answer before; none to begin',
    schema: { type: 'string' },
    parse: (text) => text,
  },
  length: wholeNumber(searchLength, 10, 'Most jobs to return'),
  view: summaryView,
};

export const failuresQuery: QuerySchema<{ readonly window: number }> = {
  window: wholeNumber(
    failuresWindow,
    1000,
    'How many of the latest failed jobs to look at, at most',
  ),
};

export const recentFailuresQuery: QuerySchema<{
  readonly window: number;
  readonly length: number;
}> = {
  window: wholeNumber(failuresAge, 3_600_000, 'Of the last so many milliseconds'),
  length: wholeNumber(causesLength, 50, 'Most causes to return'),
};

export const figuresQuery: QuerySchema<FiguresQuery> = {
  from: optionalNumber(
    optional(integer(0), 'When the first step begins, in milliseconds since 1970; an hour ago'),
  ),
  to: optionalNumber(
    optional(integer(0), 'A time in the last step, in milliseconds since 1970; now'),
  ),
  step: {
    description: 'The length of a step, in milliseconds: a minute or an hour',
    schema: { type: 'integer', enum: Object.values(STEPS), default: STEPS.minute },
    parse: (text = String(STEPS.minute), refuse) => {
      const step = Object.values(STEPS).find((each) => String(each) === text);
      if (step === undefined) refuse(`must be ${Object.values(STEPS).join(' or ')}`);
      return step ?? STEPS.minute;
    },
  },
};

const perWorker = wholeNumber(
  perWorkerShape,
  DEFAULT_PER_WORKER,
  'How many jobs one worker runs at a time',
);

export const queueDemandQuery: QuerySchema<{ readonly perWorker: number }> = { perWorker };

export const demandQuery: QuerySchema<DemandInput> = {
  queues: patternList(MOST_DEMAND_PATTERNS),
  perWorker,
};

export const jobsPageQuery: QuerySchema<
  Page & {
    readonly statuses: readonly JobState[];
    readonly group: string | undefined;
    readonly view: 'summary' | undefined;
  }
> = {
  view: summaryView,
  group: textParameter(jobFilterFields.group),
  statuses: statusList(),
  start: wholeNumber(pageStart, 0, 'How many jobs to skip'),
  length: wholeNumber(pageLength, 10, 'Most jobs to return'),
};

export const flowChildrenQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many children to skip'),
  length: wholeNumber(integer(0, MOST_FLOW_JOBS), MOST_FLOW_JOBS, 'Most children to return'),
};

export const queueEventsQuery: QuerySchema<{
  readonly events: ReadonlySet<EventName> | undefined;
  readonly digest: number | undefined;
  readonly job: string | undefined;
  readonly lastEventId: string | undefined;
  readonly ticket: string | undefined;
}> = {
  ticket: textParameter(optional(string, 'In place of a token; it can be used once')),
  events: eventList(),
  digest: digestParameter(),
  job: textParameter(optional(string, 'The id of a job, to receive only its events')),
  lastEventId: textParameter(
    optional(eventId, 'As the header Last-Event-ID, which takes precedence over this'),
  ),
};

export const allEventsQuery: QuerySchema<{
  readonly queues: readonly string[] | undefined;
  readonly events: ReadonlySet<EventName> | undefined;
  readonly digest: number | undefined;
  readonly lastEventId: string | undefined;
  readonly ticket: string | undefined;
}> = {
  ticket: textParameter(optional(string, 'In place of a token; it can be used once')),
  queues: patternList(),
  events: eventList(),
  digest: digestParameter(),
  lastEventId: textParameter(
    optional(eventCursor, 'As the header Last-Event-ID, which takes precedence over this'),
  ),
};

const schedulerSort = oneOf(...SCHEDULER_SORTS);

export const schedulersPageQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many schedulers to skip'),
  length: wholeNumber(
    integer(0, MAX_LISTED_SCHEDULERS),
    MAX_LISTED_SCHEDULERS,
    'Most schedulers to return',
  ),
};

export const allSchedulersQuery: QuerySchema<AllSchedulersQuery> = {
  ...schedulersPageQuery,
  queues: patternList(),
  sort: {
    description: 'The order of the schedulers: by their next job, or by their queue',
    schema: { ...schedulerSort.schema, default: 'next' },
    parse: (text = 'next', refuse) => {
      if (schedulerSort.accepts(text)) return text;
      refuse(`must ${schedulerSort.must}`);
      return 'next';
    },
  },
};

/** That of a request which stores a setting. */
export const dryRunQuery: QuerySchema<{ readonly dryRun: boolean }> = {
  dryRun: flag(
    'Whether the setting is only checked: nothing is stored, the answer is what would be',
  ),
};

export const sessionsPageQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many sessions to skip'),
  length: wholeNumber(longItemsLength, 100, 'Most sessions to return'),
};

export const settingSetPageQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many settings to skip'),
  length: wholeNumber(pageLength, 100, 'Most settings to return'),
};

export const tokensPageQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many tokens to skip'),
  length: wholeNumber(pageLength, 100, 'Most tokens to return'),
};

const time = integer(0);

export const auditQuery: QuerySchema<AuditQuery> = {
  who: textParameter(optional(string, 'The id or the name of a token')),
  action: textParameter(
    optional(namePatternShape, 'An action; `*` stands for any characters, as in `queue.*`'),
  ),
  queue: textParameter(optional(string, 'The name of a queue')),
  job: textParameter(optional(string, 'The id of a job')),
  from: optionalNumber(optional(time, 'Only entries from then on (epoch ms)')),
  to: optionalNumber(optional(time, 'Only entries until then (epoch ms)')),
  outcome: textParameter(optional(oneOf(...AUDIT_OUTCOMES), 'Only entries that ended so')),
  cursor: textParameter(optional(auditCursor, 'The cursor of the answer before; none to begin')),
  length: wholeNumber(integer(1, 200), 50, 'Most entries to return'),
};

export const workersQuery: QuerySchema<WorkerListInput> = {
  view: textParameter(
    optional(oneOf('health'), 'With `health`, how each of the workers does; the rest needs it'),
  ),
  start: optionalNumber(optional(pageStart, 'How many workers to skip')),
  length: optionalNumber(optional(pageLength, 'Most workers to return; 1000')),
  state: textParameter(optional(oneOf(...WORKER_STATES), 'Only workers in that state')),
};

export const latestCallsQuery: QuerySchema<{ readonly length: number }> = {
  length: wholeNumber(callsLength, KEPT_CALLS, 'Most calls to return'),
};

export const hookDeliveriesQuery: QuerySchema<{ readonly length: number }> = {
  length: wholeNumber(integer(1, 100), 50, 'Most deliveries to return'),
};

/** The most queues on a page, unless a client asks for fewer: as many as may exist. */
const ALL_QUEUES = 1000;

export const queuesPageQuery: QuerySchema<QueueListInput> = {
  start: wholeNumber(pageStart, 0, 'How many queues to skip'),
  length: wholeNumber(pageLength, ALL_QUEUES, 'Most queues to return'),
  name: textParameter(optional(namePatternShape, 'Which queues; `*` stands for any characters')),
  discover: flag('Whether queues that native clients made are looked for first'),
  view: textParameter(
    optional(oneOf('figures'), 'With `figures`, how each of the queues does; the rest needs it'),
  ),
  sort: textParameter(optional(oneOf(...QUEUE_SORTS), 'The order of the queues; by name')),
  order: textParameter(
    optional(oneOf(...ORDERS), 'By default names from the first, numbers from the largest'),
  ),
  state: textParameter(optional(oneOf(...LISTED_STATES), 'Only queues of that state')),
};

/** The page of the groups of a queue. */
export const groupsPageQuery: QuerySchema<Omit<GroupListInput, 'queue'>> = {
  start: wholeNumber(
    pageStart,
    0,
    `How many groups to skip; with length, it reaches at most ${MOST_SORTED} unless sort is id`,
  ),
  length: wholeNumber(pageLength, ALL_QUEUES, 'Most groups to return'),
  sort: textParameter(
    optional(
      oneOf(...GROUP_SORTS),
      'The order of the groups: ids from the first, numbers from the largest',
    ),
  ),
  state: textParameter(optional(oneOf(...GROUP_STATES), 'Only groups of that state')),
  id: textParameter(optional(namePatternShape, 'Which groups; `*` stands for any characters')),
};

export const queueRemovalQuery: QuerySchema<RemovalOrder> = {
  confirm: textParameter(
    optional(string, 'The name of the queue again; nothing is removed without it'),
  ),
  force: flag('Whether active jobs are removed too, and their calls aborted'),
};

function textParameter<Text extends string>({
  shape,
  description,
}: Field<Text>): QueryParameter<Text | undefined> {
  return {
    description,
    schema: shape.schema,
    parse: (text, refuse) => {
      if (text === undefined || shape.accepts(text)) return text;
      refuse(`must ${shape.must}`);
      return undefined;
    },
  };
}

function flag(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { ...boolean.schema, default: false },
    parse: (text = 'false', refuse) => {
      if (text !== 'true' && text !== 'false') refuse(`must ${boolean.must}`);
      return text === 'true';
    },
  };
}

function digestParameter(): QueryParameter<number | undefined> {
  return optionalNumber(
    optional(digestInterval, 'Every so many ms a digest of each queue, in place of its events'),
  );
}

function optionalNumber({ shape, description }: Field<number>): QueryParameter<number | undefined> {
  return {
    description,
    schema: shape.schema,
    parse: (text, refuse) => {
      if (text === undefined) return undefined;
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (!shape.accepts(value)) refuse(`must ${shape.must}`);
      return value;
    },
  };
}

function wholeNumber(
  shape: Shape<number>,
  byDefault: number,
  description: string,
): QueryParameter<number> {
  return {
    description,
    schema: { ...shape.schema, default: byDefault },
    parse: (text, refuse) => {
      if (text === undefined) return byDefault;
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (Number.isNaN(value)) refuse('must be a whole decimal number, 0 or greater');
      else if (!shape.accepts(value)) refuse(`must ${shape.must}`);
      return value;
    },
  };
}

/** The names may have blanks around them. */
function eventList(): QueryParameter<ReadonlySet<EventName> | undefined> {
  const name = ` *(${EVENT_NAMES.join('|')}) *`;
  return {
    description: `Which events: a list, with commas, of ${EVENT_NAMES.join(', ')}; all by default`,
    schema: { type: 'string', pattern: `^${name}(,${name})*$` },
    parse: (text, refuse) => {
      if (text === undefined) return undefined;
      const names = text.split(',').map((each) => each.trim());
      const unknown = names.find((each) => !isEventName(each));
      if (unknown !== undefined) {
        refuse(`must be a list of ${EVENT_NAMES.join(', ')}, but names "${excerpt(unknown)}"`);
      }
      return new Set(names.filter(isEventName));
    },
  };
}

/** Commas separate the patterns; a `*` stands in for the commas of a name. @param most how many there may be. */
function patternList(most = Infinity): QueryParameter<readonly string[] | undefined> {
  const must = 'be a list, with commas, of names, in which "*" stands for any characters';
  return {
    description:
      'Which queues: a list, with commas, of names, in which `*` stands for any characters',
    schema: { type: 'string', pattern: '^[^,]+(,[^,]+)*$', examples: ['mail-*,news'] },
    parse: (text, refuse) => {
      const patterns = text?.split(',').map((each) => each.trim());
      if ((patterns?.length ?? 0) > most) refuse(`must have at most ${most} names`);
      else if (patterns?.every((each) => namePatternShape.accepts(each)) === false) {
        refuse(`must ${must}`);
      }
      return patterns;
    },
  };
}

/** The names may have blanks around them. `all` stands for every status but `waiting-children`. */
function statusList(): QueryParameter<readonly JobState[]> {
  const accepted = [...JOB_STATES, 'all'];
  const name = ` *(${accepted.join('|')}) *`;
  return {
    description: `Which jobs: a list, with commas, of ${accepted.join(', ')}`,
    schema: { type: 'string', pattern: `^${name}(,${name})*$`, default: 'all' },
    parse: (text, refuse) => {
      if (text === undefined || text === 'all') return JOB_STATUSES;
      const names = text.split(',').map((each) => each.trim());
      const unknown = names.find((each) => !accepted.includes(each));
      if (unknown !== undefined) {
        refuse(`must be a list of ${accepted.join(', ')}, but names "${excerpt(unknown)}"`);
      }
      const states = names.filter(isJobState);
      return names.includes('all') ? [...new Set([...JOB_STATUSES, ...states])] : states;
    },
  };
}
