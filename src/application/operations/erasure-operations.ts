import type { Caller } from '../../domain/access/caller.ts';
import { covers } from '../../domain/access/covers.ts';
import { DomainError } from '../../domain/errors.ts';
import { erasureShape } from '../../domain/jobs/erasure.ts';
import { isObject } from '../../domain/values/json.ts';
import { type Erasures, erasureResultShape } from '../jobs/erasures.ts';
import { withOrder } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** Erases what the store has of one person, or of some jobs. */
export function erasureOperations(erasures: Erasures) {
  return {
    erase: operation({
      access: 'operate',
      andRight: 'data',
      action: 'jobs.erase',
      auditedOf: ({ filter, ...order }) => ({
        fields: ['filter', ...Object.keys(order)],
        filter: isObject(filter) ? namesOf(filter) : [],
      }),
      summary: 'Erase what the store has of one person, or of some jobs',
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      in: withOrder(erasureShape, 'an erasure'),
      out: answers(erasureResultShape, 'How many jobs are erased, and how many remain'),
      queuesOf: ({ order }) => (order.filter.queue === undefined ? [] : [order.filter.queue]),
      perform: ({ order }, { caller }) => {
        requirePatterns(caller, order.queues);
        return erasures.erase(order, caller);
      },
      report: {
        line: 'Jobs erased',
        fields: ({ matched, done, remaining, places }, { order }) => ({
          filter: namesOf(order.filter),
          mode: order.mode ?? 'remove',
          matched,
          done,
          remaining,
          places,
        }),
      },
    }),
  };
}

/** @throws DomainError `forbidden` for patterns beyond the queues of the caller. */
export function requirePatterns(caller: Caller, queues: readonly string[] | undefined): void {
  if (queues === undefined || covers(caller, { rights: [], queues })) return;
  throw new DomainError('forbidden', 'This token may not use these queues');
}

/** The names of the fields of a filter, without what it looks for. */
function namesOf(filter: Readonly<Record<string, unknown>>): readonly string[] {
  const { data, ...others } = filter;
  return [...(isObject(data) ? Object.keys(data) : []), ...Object.keys(others)];
}
