import type { Options } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export const STATES = [
  'active',
  'waiting',
  'prioritized',
  'delayed',
  'completed',
  'failed',
  'waiting-children',
];

/** The options that select jobs, in lists, searches and repairs alike. */
export const FILTERS: Options = {
  state: {
    value: 'list',
    meaning: 'in these states, such as failed or waiting,delayed',
    offered: STATES,
  },
  name: { value: 'text', meaning: 'of this name' },
  group: { value: 'id', meaning: 'of this group' },
  reason: { value: 'text', meaning: 'with this text in the reason of their failure' },
  'http-status': { value: 'n', meaning: 'with this HTTP status of the last answer' },
  from: {
    value: 'time',
    meaning: 'added at this time or later: 2026-01-31, 2026-01-31T08:00 or 7d',
  },
  to: { value: 'time', meaning: 'added at this time or earlier' },
};

/** The filter as the API expects it; undefined for options that are not given. */
export function filterOf(call: Invocation) {
  return {
    statuses: call.list('state'),
    name: call.text('name'),
    group: call.text('group'),
    reason: call.text('reason'),
    status: call.number('http-status'),
    from: call.time('from'),
    to: call.time('to'),
  };
}
