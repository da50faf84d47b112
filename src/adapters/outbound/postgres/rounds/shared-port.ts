import { methodsOf } from '../../memory/ports/methods-of.ts';
import { onceStored } from '../../memory/ports/stored-reads.ts';
import type { Rounds } from './rounds.ts';

type Method = (...given: unknown[]) => unknown;

/** How the methods of a port use the memory of a replica. All others read it. */
export interface SharedMethods<Port extends object> {
  readonly changes?: readonly (keyof Port)[];
  /** Those that return an iterator of what they read piece by piece. */
  readonly streams?: readonly (keyof Port)[];
  /** Those that are for this replica alone, wait for something, or run their steps in rounds by themselves. */
  readonly local?: readonly (keyof Port)[];
}

/** A port of the memory store as one of all replicas: its changes are stored before they are answered. */
export function sharedPort<Port extends object>(
  port: Port,
  { changes = [], streams = [], local = [] }: SharedMethods<Port>,
  rounds: Rounds,
): Port {
  const methods = new Map<PropertyKey, Method>();
  for (const name of methodsOf(port)) {
    const method = (port[name] as Method).bind(port);
    if (local.includes(name)) methods.set(name, method);
    else if (streams.includes(name)) methods.set(name, streamed(method, rounds));
    else if (changes.includes(name))
      methods.set(name, (...given) => rounds.change(() => method(...given)));
    else
      methods.set(name, (...given) => {
        const answer = rounds.read(() => method(...given));
        return onceStored(answer, () => rounds.stored());
      });
  }
  return Object.fromEntries(methods) as Port;
}

function streamed(method: Method, rounds: Rounds): Method {
  return async function* (...given) {
    await rounds.read(() => undefined);
    yield* onceStored(method(...given), () => rounds.stored()) as AsyncGenerator;
  };
}
