import type { Options } from '../command.ts';
import type { Invocation } from '../invocation.ts';

/** The states of a job, all of them. */
export const JOB_STATES = [
  'active',
  'waiting',
  'prioritized',
  'delayed',
  'completed',
  'failed',
  'waiting-children',
] as const;

export const STATES = [...JOB_STATES, 'all'];

/** The options of what happened in a period. */
export const PERIOD: Options = {
  'from <time>': 'since this time: 2026-01-31, 2026-01-31T08:00, or 7d for seven days ago',
  'to <time>': 'until this time',
};

/** The options that select jobs, in lists, searches and repairs alike. */
export const FILTERS: Options = {
  'state <list>': {
    meaning: 'jobs in these states, such as failed or waiting,delayed',
    offered: STATES,
  },
  'name <text>': { meaning: 'jobs with this name', mayBeEmpty: true },
  'group <id>': { meaning: 'jobs of this group; empty for those without one', mayBeEmpty: true },
  'reason <text>': 'jobs whose failure reason contains this text',
  'http-status <n>': 'jobs whose last response had this HTTP status',
  'from <time>':
    'jobs added since this time: 2026-01-31, 2026-01-31T08:00, or 7d for seven days ago',
  'to <time>': 'jobs added until this time',
};

/** The states of --state; undefined for all. */
export function statesOf(call: Invocation): readonly string[] | undefined {
  const states = call.list('state');
  return states?.includes('all') === true ? undefined : states;
}

/** The filter as the API expects it; undefined for options that are not given. */
export function filterOf(call: Invocation) {
  return {
    statuses: statesOf(call),
    name: call.text('name'),
    group: call.text('group'),
    reason: call.text('reason'),
    status: call.number('http-status'),
    ...call.period(),
  };
}
