import { KEPT_ATTEMPTS } from '../../src/domain/attempts/attempt-record.ts';
import {
  MOST_ANCESTORS,
  MOST_DESCENDANTS,
  MOST_TOKENS,
} from '../../src/domain/access/access-token.ts';
import { MOST_CODES } from '../../src/application/jobs/repair-codes.ts';
import { MOST_SESSIONS } from '../../src/domain/access/session.ts';
import {
  MOST_CALLBACKS,
  MOST_UNSENT,
  TOO_MANY_UNSENT,
} from '../../src/domain/deliveries/unsent-messages.ts';
import { KEPT_CALLS } from '../../src/domain/calls/latest-calls.ts';
import { MOST_TICKETS } from '../../src/domain/events/event-ticket.ts';
import { MOST_FLOW_JOBS, MOST_FLOW_LEVELS, MOST_FLOW_QUEUES } from '../../src/domain/flows/flow.ts';
import { MOST_CHANGED_GROUPS } from '../../src/domain/groups/group-settings.ts';
import { MOST_HOOKS } from '../../src/domain/hooks/hook.ts';
import { MOST_REMEMBERED } from '../../src/domain/jobs/add-identity.ts';
import { KEPT_LOG_LINES } from '../../src/domain/jobs/job-options.ts';
import { MOST_STEPS } from '../../src/domain/steps/step.ts';
import { MOST_KEPT_SIGNALS } from '../../src/domain/transitions/signals.ts';
import { MAX_SCHEDULERS } from '../../src/domain/schedulers/scheduler.ts';
import {
  MOST_CHANGED_SETTINGS,
  MOST_SETTINGS_IN_SETS,
} from '../../src/domain/policies/setting-set.ts';
import { MOST_LIMITS } from '../../src/domain/limits/limit.ts';
import { MOST_FILTER_BYTES, MOST_VALUES } from '../../src/domain/topics/condition.ts';
import {
  MOST_MESSAGES,
  MOST_SUBSCRIPTIONS,
  MOST_TOPIC_QUEUES,
  MOST_TOPICS,
} from '../../src/domain/topics/subscription.ts';
import { MOST_WORKERS } from '../../src/domain/workers/worker.ts';

/** What clients can create, and how many of it there can be. */
export interface Bound {
  readonly what: string;
  readonly most: string;
  readonly beyond: string;
  /** The operations that create it, by their ids in the OpenAPI document. */
  readonly operations: readonly string[];
  /**
   * The attacks of `npm run bench -- hostile` that make it as large as it can be, or read it then. Rows share one where
   * it makes what several of them name.
   */
  readonly attacks: readonly string[];
}

const count = (most: number): string => most.toLocaleString('en');

/** Everything that a request can create. A test demands that each operation that may create something is here. */
export const BOUNDS: readonly Bound[] = [
  {
    what: 'jobs of one add',
    most: '`MAX_JOBS_PER_ADD`, 10,000',
    beyond: '413, and none is added',
    operations: ['addJobs', 'addJobsToQueue'],
    attacks: [
      '10,000 plain jobs in an add, twenty times',
      '10,000 jobs in 10,000 groups in an add, twenty times',
      '10,000 deduplication ids in an add, twenty times',
      '10,000 jobs with ids in an add, twenty times',
    ],
  },
  {
    what: 'waiting jobs of a queue, and of a group',
    most: '`maxWaiting` of the policy, or of the group; none unless set',
    beyond: '429, and none is added',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow', 'publish'],
    attacks: [
      '10,000 jobs in an add to a queue that is full, twenty times',
      '24 lists of 200,000 groups at once',
    ],
  },
  {
    what: 'jobs of a flow',
    most: `${count(MOST_FLOW_JOBS)} in ${MOST_FLOW_LEVELS} levels and ${MOST_FLOW_QUEUES} queues`,
    beyond: '400',
    operations: ['addFlow'],
    attacks: [
      'a flow of 9,999 children in as many groups, ten times',
      'a flow of 9,999 children in 100 queues, ten times',
      'a parent of 9,999 failed children, asked 200 times by eight clients why it is blocked',
      '9,999 failed children, read eight times as a list, a tree and causes by eight clients',
    ],
  },
  {
    what: 'messages of one call to a topic, and what it adds to',
    most: `${count(MOST_MESSAGES)}; \`MAX_JOBS_PER_ADD\` jobs, ${count(MOST_TOPIC_QUEUES)} queues`,
    beyond: '400, or 413; none is added',
    operations: ['publish'],
    attacks: [
      '100 calls of 100 messages for 1000 subscriptions, of which 10 match, by eight clients',
      '80 messages that each become 1000 jobs with 8 kB of headers, by 40 clients',
    ],
  },
  {
    what: 'limits that queues share',
    most: count(MOST_LIMITS),
    beyond: '409',
    operations: ['saveLimit'],
    attacks: [
      '1000 limits, 250 policies that name them, then 100 lists of the limits by eight clients',
    ],
  },
  {
    what: 'topics, and subscriptions of each',
    most: `${count(MOST_TOPICS)}, ${count(MOST_SUBSCRIPTIONS)} each`,
    beyond: '409',
    operations: ['saveSubscription'],
    attacks: [
      '1000 subscriptions with filters of 4 kB, then 100 reads of their topic by eight clients',
      '20 topics of 1000 subscriptions of 12 kB each, with a message for none of them to each',
    ],
  },
  {
    what: 'a filter of a subscription',
    most: `5 keys, ${MOST_VALUES} values, ${count(MOST_FILTER_BYTES)} bytes`,
    beyond: '400',
    operations: ['saveSubscription'],
    attacks: [
      '1000 subscriptions with filters of 4 kB, then 100 reads of their topic by eight clients',
    ],
  },
  {
    what: 'remembered adds (`Idempotency-Key`) of a queue',
    most: `${count(MOST_REMEMBERED)}, for 24 hours`,
    beyond: 'the oldest are forgotten',
    operations: ['addJobs', 'addJobsToQueue', 'publish'],
    attacks: ['5000 adds with an Idempotency-Key each by eight clients'],
  },
  {
    what: 'log lines of a job',
    most: `the last ${count(KEPT_LOG_LINES)}; the \`keepLogs\` of a job takes precedence`,
    beyond: 'the oldest are removed',
    operations: ['addLog'],
    attacks: ['1000 log lines of 64 kB by a job token, then read 16 times by eight clients'],
  },
  {
    what: 'attempts that are kept of a job',
    most: `the last ${KEPT_ATTEMPTS}`,
    beyond: 'the oldest are removed',
    operations: ['claimJobs', 'retryJob', 'retryJobs'],
    attacks: ['a job that fails and is retried 200 times with a reason of 1 MB'],
  },
  {
    what: '[steps](steps.md#bounds) of a job, and their values',
    most: `${count(MOST_STEPS)}; 256 kB each, and 1 MB in all`,
    beyond: '413; after an answer 206 the job fails for good',
    operations: ['saveStep', 'suspendJob'],
    attacks: [
      '1000 steps of 1 kB by a job token, then read 100 times by eight clients',
      '80 suspensions of 9.9 MB by a job token',
    ],
  },
  {
    what: 'kept signals of a queue',
    most: `${count(MOST_KEPT_SIGNALS)} of 64 kB, for a week at most`,
    beyond: '429',
    operations: ['sendSignal'],
    attacks: ['10,000 kept signals of 64 kB by eight clients, then 100 pages of them'],
  },
  {
    what: 'workers, policies, breakers and holds of a queue',
    most: 'one of each, and one policy for all queues',
    beyond: 'replaced',
    operations: ['registerWorker', 'savePolicy', 'saveCommonPolicy', 'holdQueue', 'pauseQueue'],
    attacks: ['1000 policies, 1000 holds and 1000 pauses of as many queues'],
  },
  {
    what: 'workers',
    most: count(MOST_WORKERS),
    beyond: '409',
    operations: ['registerWorker'],
    attacks: [
      '10,000 workers with 8 kB of headers each by eight clients, and 200 changes of one',
      '1000 workers with 8 kB of headers each, listed 40 times by four clients',
    ],
  },
  {
    what: 'calls that are kept of a worker',
    most: `the last ${KEPT_CALLS} of each replica`,
    beyond: 'the oldest are removed',
    operations: ['claimJobs'],
    attacks: ['500 calls answered with 1 MB, and listed 160 times by eight clients'],
  },
  {
    what: 'signing secrets of a worker',
    most: 'the current one and nine former ones, for 24 hours',
    beyond: '409',
    operations: ['registerWorker', 'changeWorker', 'rotateSecret'],
    attacks: ['1000 rotations of a signing secret by eight clients'],
  },
  {
    what: 'settings of all sets',
    most: `${count(MOST_SETTINGS_IN_SETS)}; a change names ${count(MOST_CHANGED_SETTINGS)} to add and as many to take out`,
    beyond: '409',
    operations: ['changeSettingSet'],
    attacks: ['100 changes of a set of 100,000 settings, then 100 of its last pages'],
  },
  {
    what: 'hooks',
    most: `${count(MOST_HOOKS)}, with 20 events, 100 patterns and ten secrets each`,
    beyond: '409',
    operations: ['saveHook', 'rotateHookSecret'],
    attacks: ['400 changes of 100 hooks of 100 patterns and 8 kB of headers, then 40 lists'],
  },
  {
    what: 'messages of a hook that wait or are being sent',
    most: count(MOST_UNSENT),
    beyond: `the oldest fail (\`${TOO_MANY_UNSENT}\`)`,
    operations: ['resendHookDelivery'],
    attacks: ['400 changes of 100 hooks of 100 patterns and 8 kB of headers, then 40 lists'],
  },
  {
    what: 'callbacks of a queue to URLs that wait or are being sent',
    most: count(MOST_CALLBACKS),
    beyond: 'held back until there is room',
    operations: ['resendCallback'],
    attacks: ['400 changes of 100 hooks of 100 patterns and 8 kB of headers, then 40 lists'],
  },
  {
    what: 'messages of a hook that are kept, and callbacks',
    most: '10,000 delivered and 10,000 failed ones, for 7 days',
    beyond: 'the oldest are removed',
    operations: ['resendHookDelivery', 'resendCallback'],
    attacks: ['400 changes of 100 hooks of 100 patterns and 8 kB of headers, then 40 lists'],
  },
  {
    what: 'schedulers of a queue',
    most: count(MAX_SCHEDULERS),
    beyond: '409',
    operations: ['saveScheduler'],
    attacks: ['10,000 daily schedulers, all listed by four clients'],
  },
  {
    what: 'jobs of a scheduler that have not started',
    most: 'one, and those that are run by hand',
    beyond: 'the next follows when it starts',
    operations: ['saveScheduler', 'resumeScheduler', 'runScheduler'],
    attacks: ['a scheduler run 4000 times by hand by four clients'],
  },
  {
    what: 'groups of a queue with settings; paused groups; held groups',
    most: `${count(MOST_CHANGED_GROUPS)} of each`,
    beyond: '409',
    operations: ['saveGroup', 'pauseGroup', 'holdGroup'],
    attacks: ['10,000 groups with settings, held and listed by eight clients'],
  },
  {
    what: 'API tokens',
    most: count(MOST_TOKENS),
    beyond: '409',
    operations: ['createToken'],
    attacks: [
      '1000 changes, each of one of 4000 tokens',
      '10,000 times a token of 100 patterns of 200 characters, then ten pages',
    ],
  },
  {
    what: 'tokens that one token makes, with those that they make',
    most: `${count(MOST_DESCENDANTS)}, in up to ${MOST_ANCESTORS} further generations`,
    beyond: '409, and 403 for a further generation',
    operations: ['createToken'],
    attacks: ['10,000 times a token of 100 patterns of 200 characters, then ten pages'],
  },
  {
    what: 'sessions of a token',
    most: count(MOST_SESSIONS),
    beyond: 'the oldest ends',
    operations: ['createSession'],
    attacks: [
      '20,000 sessions of a token, listed ten times and ended 20 times',
      '20,000 sessions of a token, opened by eight clients',
    ],
  },
  {
    what: 'tickets of a token within a minute',
    most: count(MOST_TICKETS),
    beyond: 'the oldest ends',
    operations: ['issueTicket'],
    attacks: ['5000 tickets for 100 patterns of 200 characters by eight clients'],
  },
  {
    what: 'events that are kept of a queue',
    most: '`EVENTS_KEPT`, 10,000',
    beyond: 'the oldest are removed; clients that resume behind them get a `gap`',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow'],
    attacks: [
      '50 event streams that resume 10,000 events ago',
      '2000 event streams that do not read',
    ],
  },
  {
    what: 'entries of the audit',
    most: '`AUDIT_KEPT`, 100,000',
    beyond: 'the oldest are removed; refusals of a token in a row share an entry',
    operations: ['changeToken', 'rotateToken'],
    attacks: ['5000 changes in the audit, searched 16 times by eight clients'],
  },
  {
    what: 'codes of a token, within a minute, that confirm repairs and signals over MCP',
    most: count(MOST_CODES),
    beyond: 'the oldest ends',
    operations: ['sendMcpMessage'],
    attacks: ['2000 previews of repairs of 1000 ids by eight clients'],
  },
  {
    what: 'queues',
    most: 'as many as the memory of the store holds; sorted lists look at the first 10,000',
    beyond: '503',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow', 'savePolicy', 'saveScheduler'],
    attacks: ['10,000 queues of a job each, listed 40 times by eight clients'],
  },
];
