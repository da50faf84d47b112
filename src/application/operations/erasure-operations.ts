import { covers } from '../../domain/access/covers.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ErasureInput } from '../../domain/jobs/erasure.ts';
import { isObject } from '../../domain/values/json.ts';
import type { Erasures } from '../jobs/erasures.ts';
import type { Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** Erases what the store has of one person, or of some jobs. */
export function erasureOperations(erasures: Erasures) {
  return {
    erase: operation({
      id: 'erase',
      access: 'operate',
      andRight: 'data',
      action: 'jobs.erase',
      auditedOf: ({ filter, ...order }) => ({
        fields: ['filter', ...Object.keys(order)],
        filter: isObject(filter) ? namesOf(filter) : [],
      }),
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
        hasChanged: (_, { order }) => order.dryRun !== true,
      },
      queuesOf: ({ order }: Ordered<ErasureInput>) =>
        order.filter.queue === undefined ? [] : [order.filter.queue],
      perform: ({ order }: Ordered<ErasureInput>, { caller }) => {
        requirePatterns(caller, order.queues);
        return erasures.erase(order, caller);
      },
    }),
  };
}

export type ErasureOperations = ReturnType<typeof erasureOperations>;

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
