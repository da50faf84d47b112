/*
 * Groups of jobs (docs/groups.md). Waiting jobs of groups are in one sorted set of their queue; those that run, are
 * delayed or have ended are where BullMQ keeps them. Keys come after a queue's prefix unless stated otherwise.
 */

/** The field of a queue's metadata that is set once the queue has had a job with a group. */
export const GROUPED = 'jobgate:groups';

/**
 * The fields of a queue's metadata with what holds for groups without settings, as JSON: as of the last claim, and as of
 * the last look for native workers where there was no claim. Endings and expiries, which know no worker, go by them.
 */
export const [GROUP_DEFAULTS, NATIVE_GROUP_DEFAULTS] = [
  'jobgate:group-defaults',
  'jobgate:native-group-defaults',
];

/** The fields of a job's hash: its group, its cost unless that is 1, and its place among the waiting jobs of the group. */
export const [GROUP, GROUP_COST, GROUP_ORDER] = [
  'jobgate:group',
  'jobgate:group-cost',
  'jobgate:group-order',
];

/**
 * The waiting jobs, all with the same score. Each member is the group, a zero byte, the order in 20 digits, and the id.
 */
export const GROUP_WAITING = 'jobgate:group-waiting';

/** Between a job that goes ahead of the others in a band of equal ones and one that goes behind them. */
export const MIDDLE_NUMBER = 500_000_000_000;

/**
 * The turns: `v`, the virtual time of the queue; `s`, how often a group became ready; `o`, how many places of jobs were
 * given; `n`, the job that is staged for native workers, with `m`, the ready group whose turn it is; `w`, when (epoch ms) a
 * native worker was last found to have taken such a job; `f`, while parked groups are left that other defaults may free;
 * and of each group with a waiting job, behind a `g`, "r" and when it became so in 14 digits when it is ready, or "p" and
 * its virtual time.
 */
export const GROUP_TURNS = 'jobgate:group-turns';

/** The ready groups by their virtual time. Each member is when the group became ready, in 14 digits, and its id. */
export const GROUP_READY = 'jobgate:group-ready';

/** The groups without waiting jobs whose virtual time is ahead of the queue's: the 10,000 that are furthest ahead. */
export const GROUP_IDLE = 'jobgate:group-idle';

/** The groups with waiting jobs of which none may start, by when (epoch ms) one may start again, as far as is known. */
export const GROUP_PARKED = 'jobgate:group-parked';

/** The groups of running jobs by their ids, and of calls of cancelled jobs by "!" and their tokens. */
export const GROUP_RUNNING = 'jobgate:group-running';

/** The settings of groups as JSON. */
export const GROUP_SETTINGS = 'jobgate:group-settings';

/** The paused groups, each after a `p`, with who paused it, as JSON; 1 where that is not known. */
export const GROUP_STATES = 'jobgate:group-states';

/** The groups that are held, by when (epoch ms) their holds end. The key expires with the last hold. */
export const GROUP_HELD = 'jobgate:group-held';

/** Who held these groups, as JSON, where a caller did. The key expires with the last hold. */
export const GROUP_HOLDERS = 'jobgate:group-holders';

/**
 * For ordered groups: after an `f`, the failed job that blocks one; after an `h`, the job that waits for another
 * attempt.
 */
export const GROUP_BLOCKS = 'jobgate:group-blocks';

/** Before the id of a group, as group-starts-key has it: the times of its latest starts, for its limiter. */
export const GROUP_STARTS = 'jobgate:group-starts-';

/** For how many seconds the starts of a minute are kept: longer than those that shares are made of. */
export const SHARES_KEPT = 420;

/** Before the number of a minute: how many jobs of each group started in it. */
export const GROUP_SHARES = 'jobgate:group-shares-';

/*
 * What looks at the demand of a queue keep of its groups, each under its name, so that a look examines only those that
 * changed (ADR 0039). The first key is there for as long as a look may build upon the others, and no longer than
 * KEPT_FOR of groups/group-demand.
 */

/** The groups that changed since they were examined, all with score 0, beside an empty member that is always there. */
export const GROUP_CHANGED = 'jobgate:group-changed';

/**
 * `n`, how many waiting jobs the limits of their groups keep from starting; behind a `g`, the same for each group that has
 * some; `d`, the defaults by which the groups were examined; `c`, the group up to which they were, until all were.
 */
export const GROUP_BEHIND = 'jobgate:group-behind';

/** Groups that are to be examined again although nothing changes them, by when (epoch ms). */
export const GROUP_AGAIN = 'jobgate:group-again';

/** The groups of which a job may start, by when (epoch ms) the next of them could. */
export const GROUP_STARTABLE = 'jobgate:group-startable';

/** The service's own key of that name: the queues whose groups take turns. */
export const QUEUES_IN_TURNS = 'queues-in-turns';
