import { KEPT_ATTEMPTS } from '../../src/domain/attempts/attempt-record.ts';
import {
  MOST_ANCESTORS,
  MOST_DESCENDANTS,
  MOST_TOKENS,
} from '../../src/domain/access/access-token.ts';
import { MOST_SESSIONS } from '../../src/domain/access/session.ts';
import { KEPT_CALLS } from '../../src/domain/calls/latest-calls.ts';
import { MOST_TICKETS } from '../../src/domain/events/event-ticket.ts';
import { MOST_FLOW_JOBS, MOST_FLOW_LEVELS } from '../../src/domain/flows/flow.ts';
import { MOST_CHANGED_GROUPS } from '../../src/domain/groups/group-settings.ts';
import { MOST_REMEMBERED } from '../../src/domain/jobs/add-identity.ts';
import { KEPT_LOG_LINES } from '../../src/domain/jobs/job-options.ts';
import { MAX_SCHEDULERS } from '../../src/domain/schedulers/scheduler.ts';

/** What clients can create, and how many of it there can be. */
export interface Bound {
  readonly what: string;
  readonly most: string;
  readonly beyond: string;
  /** The operations that create it, by their ids in the OpenAPI document. */
  readonly operations: readonly string[];
}

const count = (most: number): string => most.toLocaleString('en');

/** Everything that a request can create. A test demands that each operation that may create something is here. */
export const BOUNDS: readonly Bound[] = [
  {
    what: 'jobs of one add',
    most: '`MAX_JOBS_PER_ADD`, 10,000',
    beyond: '413, and none is added',
    operations: ['addJobs', 'addJobsToQueue'],
  },
  {
    what: 'waiting jobs of a queue, and of a group',
    most: '`maxWaiting` of the policy, or of the group; none unless set',
    beyond: '429, and none is added',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow'],
  },
  {
    what: 'jobs of a flow',
    most: `${count(MOST_FLOW_JOBS)} in ${MOST_FLOW_LEVELS} levels`,
    beyond: '400',
    operations: ['addFlow'],
  },
  {
    what: 'remembered adds (`Idempotency-Key`) of a queue',
    most: `${count(MOST_REMEMBERED)}, for 24 hours`,
    beyond: 'the oldest are forgotten',
    operations: ['addJobs', 'addJobsToQueue'],
  },
  {
    what: 'log lines of a job',
    most: `the last ${count(KEPT_LOG_LINES)}; the \`keepLogs\` of a job takes precedence`,
    beyond: 'the oldest are removed',
    operations: ['addLog'],
  },
  {
    what: 'attempts that are kept of a job',
    most: `the last ${KEPT_ATTEMPTS}`,
    beyond: 'the oldest are removed',
    operations: ['claimJobs', 'retryJob', 'retryJobs'],
  },
  {
    what: 'workers, policies, breakers and holds',
    most: 'one of each for a queue, and one policy for all queues',
    beyond: 'replaced',
    operations: ['registerWorker', 'savePolicy', 'saveCommonPolicy', 'holdQueue', 'pauseQueue'],
  },
  {
    what: 'calls that are kept of a worker',
    most: `the last ${KEPT_CALLS} of each replica`,
    beyond: 'the oldest are removed',
    operations: ['claimJobs'],
  },
  {
    what: 'signing secrets of a worker',
    most: 'the current one and nine former ones, for 24 hours',
    beyond: '409',
    operations: ['registerWorker', 'rotateSecret'],
  },
  {
    what: 'schedulers of a queue',
    most: count(MAX_SCHEDULERS),
    beyond: '409',
    operations: ['saveScheduler'],
  },
  {
    what: 'jobs of a scheduler that have not started',
    most: 'one, and those that are run by hand',
    beyond: 'the next follows when it starts',
    operations: ['saveScheduler', 'resumeScheduler', 'runScheduler'],
  },
  {
    what: 'groups of a queue with settings; paused groups; held groups',
    most: `${count(MOST_CHANGED_GROUPS)} of each`,
    beyond: '409',
    operations: ['saveGroup', 'pauseGroup', 'holdGroup'],
  },
  {
    what: 'API tokens',
    most: count(MOST_TOKENS),
    beyond: '409',
    operations: ['createToken'],
  },
  {
    what: 'tokens that one token makes, with those that they make',
    most: `${count(MOST_DESCENDANTS)}, in up to ${MOST_ANCESTORS} further generations`,
    beyond: '409, and 403 for a further generation',
    operations: ['createToken'],
  },
  {
    what: 'sessions of a token',
    most: count(MOST_SESSIONS),
    beyond: 'the oldest ends',
    operations: ['createSession'],
  },
  {
    what: 'tickets of a token within a minute',
    most: count(MOST_TICKETS),
    beyond: 'the oldest ends',
    operations: ['issueTicket'],
  },
  {
    what: 'events that are kept of a queue',
    most: '`EVENTS_KEPT`, 10,000',
    beyond: 'the oldest are removed; clients that resume behind them get a `gap`',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow'],
  },
  {
    what: 'entries of the audit',
    most: '`AUDIT_KEPT`, 100,000',
    beyond: 'the oldest are removed; refusals of a token in a row share an entry',
    operations: ['changeToken', 'rotateToken'],
  },
  {
    what: 'codes that confirm a repair over MCP',
    most: 'one for each preview, for 60 s',
    beyond: 'each expires by itself',
    operations: ['sendMcpMessage'],
  },
  {
    what: 'queues',
    most: 'as many as the memory of the store holds; sorted lists look at the first 10,000',
    beyond: '503',
    operations: ['addJobs', 'addJobsToQueue', 'addFlow', 'savePolicy', 'saveScheduler'],
  },
];
