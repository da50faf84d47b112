import type { QueueReplica } from '../contracts/queue-harness.ts';

type Method = (...given: unknown[]) => unknown;

/**
 * The ports of the replica that is current when one of their methods is called.
 *
 * @param called is called when a method has returned, or its promise has resolved, which it then delays.
 */
export function currentPorts(
  current: () => QueueReplica,
  called: () => void | Promise<void> = () => undefined,
): QueueReplica {
  const names = Object.keys(current()) as (keyof QueueReplica)[];
  const entries = names.map((name) => {
    const port = new Proxy(
      {},
      {
        get: (_, method) => {
          const target = current()[name] as unknown as Readonly<Record<PropertyKey, Method>>;
          return (...given: unknown[]) => {
            const returned = target[method]?.(...given);
            if (returned instanceof Promise) return returned.finally(called);
            void called();
            return returned;
          };
        },
      },
    );
    return [name, port];
  });
  return Object.fromEntries(entries) as QueueReplica;
}
