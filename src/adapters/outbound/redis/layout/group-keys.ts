/*
 * Groups of jobs (docs/groups.md). Jobs of a group that wait are in one sorted set of their queue; those that run, are
 * delayed or have ended are where BullMQ has them. Behind a queue's prefix unless it says otherwise.
 */

/** The field of a queue's metadata that is set from its first job with a group on. */
export const GROUPED = 'jobgate:groups';

/** The fields of a job's hash: its group, its cost unless that is 1, and its place among the waiting jobs of the group. */
export const [GROUP, GROUP_COST, GROUP_ORDER] = [
  'jobgate:group',
  'jobgate:group-cost',
  'jobgate:group-order',
];

/** The waiting jobs: of each its group, a zero byte, its order in 20 digits, and its id, all of one score. */
export const GROUP_WAITING = 'jobgate:group-waiting';

/**
 * The turns: `v`, the virtual time of the queue; `s`, how often a group became ready; `o`, how many places of jobs were
 * given; `d`, the defaults of the last claim as JSON, and `l`, those of the last look for native workers where there was no
 * claim; `n`, the job that is staged for native workers, with `m`, the ready group whose turn it is; `w`, when (epoch ms) a
 * native worker was last found to have taken such a job; and of each group with a waiting job, behind a `g`, "r" and when
 * it became so in 14 digits when it is ready, or "p" and its virtual time.
 */
export const GROUP_TURNS = 'jobgate:group-turns';

/** The ready groups by their virtual time: of each when it became so, in 14 digits, and its id. */
export const GROUP_READY = 'jobgate:group-ready';

/** The groups without waiting jobs whose virtual time is ahead of the queue's, the 10,000 that are ahead most. */
export const GROUP_IDLE = 'jobgate:group-idle';

/** The groups with waiting jobs of which none may start, by when (epoch ms) one may again, as far as that is known. */
export const GROUP_PARKED = 'jobgate:group-parked';

/** The groups of running jobs by their ids, and of calls of cancelled jobs by "!" and their tokens. */
export const GROUP_RUNNING = 'jobgate:group-running';

/** The settings of groups as JSON. */
export const GROUP_SETTINGS = 'jobgate:group-settings';

/** Behind a `p`, the groups that are paused. */
export const GROUP_STATES = 'jobgate:group-states';

/** The groups that are held, by until when (epoch ms). It expires with the last hold. */
export const GROUP_HELD = 'jobgate:group-held';

/** Of ordered groups: behind an `f` the failed job that blocks one, behind an `h` the job that is to be tried again. */
export const GROUP_BLOCKS = 'jobgate:group-blocks';

/** Before the id of a group, without its colons: the times of its latest starts, for its limiter. */
export const GROUP_STARTS = 'jobgate:group-starts-';

/** Before the number of a minute: how many jobs of each group started in it. */
export const GROUP_SHARES = 'jobgate:group-shares-';

/** Our own key of that name: the queues whose groups take turns. */
export const QUEUES_IN_TURNS = 'queues-in-turns';
