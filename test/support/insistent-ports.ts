import { DomainError } from '../../src/domain/errors.ts';
import type { QueueReplica } from '../contracts/queue-harness.ts';

type Method = (...given: unknown[]) => unknown;

/** The ports of a replica whose clients turn to another one, once, when the store is unavailable to it. */
export function insistentPorts(replica: QueueReplica, other: QueueReplica): QueueReplica {
  const names = Object.keys(other) as (keyof QueueReplica)[];
  const portOf = (name: keyof QueueReplica): object =>
    new Proxy(
      {},
      {
        get: (_, method) => {
          const [first, second] = [replica[name], other[name]].map(
            (port) => port as unknown as Readonly<Record<PropertyKey, Method>>,
          );
          return (...given: unknown[]) => {
            const returned = first?.[method]?.(...given);
            if (!(returned instanceof Promise)) return returned;
            return returned.catch((error: unknown) => {
              const isUnavailable =
                error instanceof DomainError && error.code === 'store-unavailable';
              if (!isUnavailable) throw error;
              return second?.[method]?.(...given);
            });
          };
        },
      },
    );
  return Object.fromEntries(names.map((name) => [name, portOf(name)])) as unknown as QueueReplica;
}
