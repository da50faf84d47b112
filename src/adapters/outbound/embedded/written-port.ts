import { methodsOf } from '../memory/ports/methods-of.ts';
import { onceStored } from '../memory/ports/stored-reads.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

type Method = (...given: never[]) => unknown;

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

/** How much a read shows: the job or the queue that its first arguments name, or anything. */
type Reading = 'reads job' | 'reads queue' | 'reads store';

/** Whether an answer waits for the disk: always, only while the disk lags, or never. */
type Wait = true | 'lagging' | false;

type Writing = 'grows' | 'grows later' | true | ((...given: unknown[]) => Wait);

type Waiting = Writing | Reading;

/** Decides by what a method returned, and what it was given, whether its answer waits for the disk. */
type Waits<Called> = Called extends (...given: infer Given) => Promise<infer Returned>
  ? (returned: Returned, ...given: Given) => Wait
  : never;

/**
 * The methods of a port whose answers wait until what they changed is on the disk. Those that `grow` the store are
 * refused while the disk is full, before they change anything; for those that grow it `later` nobody waits, nor for all
 * others. The answers of those that read wait only for what they show: a call whose ending nobody waited for, say.
 */
export type WrittenMethods<Port extends object> = {
  readonly [Name in keyof Port]?: 'grows' | 'grows later' | true | Reading | Waits<Port[Name]>;
};

/**
 * A port of the memory store whose answers to changes mean that these are on the disk. A method changes the memory in
 * steps before its promise resolves; what it throws is passed on, since it changed nothing.
 */
export function writtenPort<Port extends object>(
  port: Port,
  methods: WrittenMethods<Port>,
  disk: Disk,
): Port {
  const answers = new Map<PropertyKey, Method>();
  for (const name of methodsOf(port)) {
    const method = (port[name] as Method).bind(port);
    const waits = methods[name] as Waiting | undefined;
    if (waits === undefined) answers.set(name, method);
    else
      answers.set(
        name,
        isReading(waits) ? reading(method, waits, disk) : waiting(method, waits, disk),
      );
  }
  return Object.fromEntries(answers) as Port;
}

function isReading(waits: Waiting): waits is Reading {
  return waits === 'reads job' || waits === 'reads queue' || waits === 'reads store';
}

function reading(method: Method, reads: Reading, disk: Disk): Method {
  return (...given) => {
    const [queue, jobId] = given as unknown as readonly [QueueName?, string?];
    const stored = {
      'reads job': () => disk.shown(queue, jobId),
      'reads queue': () => disk.shown(queue),
      'reads store': () => disk.shown(),
    };
    return onceStored(method(...given), stored[reads]);
  };
}

function waiting(method: Method, waits: Writing, disk: Disk): Method {
  return async (...given) => {
    disk.check(waits === 'grows' || waits === 'grows later');
    const returned = await method(...given);
    const wait = typeof waits === 'function' ? waits(returned, ...given) : waits !== 'grows later';
    if (wait === 'lagging') await disk.keptUp();
    else if (wait) await disk.written();
    return returned;
  };
}
