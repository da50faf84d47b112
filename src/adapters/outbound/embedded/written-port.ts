type Method = (...given: never[]) => unknown;

/** What the ports need of the disk. */
export interface Disk {
  /** @throws DomainError `store-full` while the disk is full. */
  checkRoom(): void;

  /** Resolves once everything that changed until now is on the disk. */
  written(): Promise<void>;
}

type Writing = 'grows' | true | ((...given: unknown[]) => boolean);

/** Decides by what a method returned, and what it was given, whether its answer waits for the disk. */
type Waits<Called> = Called extends (...given: infer Given) => Promise<infer Returned>
  ? (returned: Returned, ...given: Given) => boolean
  : never;

/**
 * The methods of a port whose answers wait until what they changed is on the disk; of all others nobody waits. Those
 * that `grow` the store are refused while the disk is full, before they change anything.
 */
export type WrittenMethods<Port extends object> = {
  readonly [Name in keyof Port]?: 'grows' | true | Waits<Port[Name]>;
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
    if (waits === 'grows') disk.checkRoom();
    const returned = await method(...given);
    if (typeof waits !== 'function' || waits(returned, ...given)) await disk.written();
    return returned;
  };
}

/** The names of its methods, those of the classes that it extends included. */
function methodsOf<Port extends object>(port: Port): readonly (keyof Port)[] {
  const names = new Set<PropertyKey>();
  let each: object | null = port;
  while (each !== null && each !== Object.prototype) {
    for (const name of Reflect.ownKeys(each)) names.add(name);
    each = Object.getPrototypeOf(each) as object | null;
  }
  names.delete('constructor');
  return ([...names] as (keyof Port)[]).filter((name) => typeof port[name] === 'function');
}
