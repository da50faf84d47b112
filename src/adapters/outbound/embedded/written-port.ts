import { methodsOf } from '../memory/ports/methods-of.ts';

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
}

/** Whether an answer waits for the disk: always, only while the disk lags, or never. */
type Wait = true | 'lagging' | false;

type Writing = 'grows' | 'grows later' | true | ((...given: unknown[]) => Wait);

/** Decides by what a method returned, and what it was given, whether its answer waits for the disk. */
type Waits<Called> = Called extends (...given: infer Given) => Promise<infer Returned>
  ? (returned: Returned, ...given: Given) => Wait
  : never;

/**
 * The methods of a port whose answers wait until what they changed is on the disk. Those that `grow` the store are
 * refused while the disk is full, before they change anything; for those that grow it `later` nobody waits, nor for all
 * others.
 */
export type WrittenMethods<Port extends object> = {
  readonly [Name in keyof Port]?: 'grows' | 'grows later' | true | Waits<Port[Name]>;
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
    const waits = methods[name] as Writing | undefined;
    answers.set(name, waits === undefined ? method : waiting(method, waits, disk));
  }
  return Object.fromEntries(answers) as Port;
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
