import {
  mapMethods,
  type Method,
  type Nature,
  type Natures,
} from '../../../application/ports/nature.ts';
import { onceStored } from '../memory/ports/stored-reads.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** What the ports need of the disk. */
export interface Disk {
  /**
   * To be called before a change.
   *
   * @param grows whether it adds to the store.
   * @throws DomainError `store-full` when the disk has no room for it, `store-unavailable` when a write failed.
   */
  check(grows: boolean): void;

  /** Resolves once everything that changed until now is on the disk. */
  written(): Promise<void>;

  /** Has it written at once, or within a few ms, and waits for that only while the disk lags. */
  keptUp(): Promise<void>;

  /** Resolves once what was read of a job, a queue or all queues is on the disk; undefined when it is by now. */
  shown(queue?: QueueName, jobId?: string): Promise<void> | undefined;
}

/** Whether an answer waits for the disk: always, only while the disk lags, or never. */
export type Wait = true | 'lagging' | false;

/** Decides by what a method returned, and what it was given, whether its answer waits for the disk. */
type Waits<Called> = Called extends (...given: infer Given) => Promise<infer Returned>
  ? (returned: Returned, ...given: Given) => Wait
  : never;

/** Those of the methods of a port that start jobs. */
export type WaitsOf<Port extends object> = { readonly [Name in keyof Port]?: Waits<Port[Name]> };

/**
 * A port of the memory store whose answers to changes mean that these are on the disk, as the natures of its methods have
 * it. A method changes the memory in steps before its promise resolves; what it throws is passed on, since it changed
 * nothing. What grows the store is refused while the disk is full, before it changes anything.
 *
 * @param starts of the methods that start jobs.
 */
export function writtenPort<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  disk: Disk,
  starts: WaitsOf<Port> = {},
): Port {
  return mapMethods(port, natures, (method, { is }, name) =>
    writtenMethod(method, is, disk, starts[name] as ((...given: unknown[]) => Wait) | undefined),
  );
}

function writtenMethod(
  method: Method,
  nature: Nature,
  disk: Disk,
  waits: (...given: unknown[]) => Wait = () => true,
): Method {
  switch (nature) {
    case 'adds':
    case 'enlarges':
    case 'grows':
      return changing(method, disk, true, () => true);
    case 'enlarges later':
      return changing(method, disk, true, () => false);
    case 'changes':
      return changing(method, disk, false, () => true);
    case 'starts':
      return changing(method, disk, false, waits);
    case 'reads job':
      return reading(method, (queue, jobId) => disk.shown(queue, jobId));
    case 'reads queue':
    case 'streams queue':
      return reading(method, (queue) => disk.shown(queue));
    case 'reads store':
    case 'streams store':
      return reading(method, () => disk.shown());
    default:
      return method;
  }
}

function reading(
  method: Method,
  shown: (queue?: QueueName, jobId?: string) => Promise<void> | undefined,
): Method {
  return (...given) => {
    const [queue, jobId] = given as unknown as readonly [QueueName?, string?];
    return onceStored(method(...given), () => shown(queue, jobId));
  };
}

function changing(
  method: Method,
  disk: Disk,
  grows: boolean,
  waits: (...given: unknown[]) => Wait,
): Method {
  return async (...given) => {
    disk.check(grows);
    const returned = await method(...given);
    const wait = waits(returned, ...given);
    if (wait === 'lagging') await disk.keptUp();
    else if (wait) await disk.written();
    return returned;
  };
}
