type Method = (...given: never[]) => unknown;

/** Decides by what a method returned, and what it was given, whether its answer waits for the disk. */
type Waits<Called> = Called extends (...given: infer Given) => Promise<infer Returned>
  ? (returned: Returned, ...given: Given) => boolean
  : never;

/** The methods of a port whose answers wait until what they changed is on the disk; of all others nobody waits. */
export type WrittenMethods<Port extends object> = {
  readonly [Name in keyof Port]?: true | Waits<Port[Name]>;
};

/**
 * A port of the memory store whose answers to changes mean that these are on the disk. A method changes the memory in
 * steps before its promise resolves; what it throws is passed on, since it changed nothing.
 */
export function writtenPort<Port extends object>(
  port: Port,
  methods: WrittenMethods<Port>,
  written: () => Promise<void>,
): Port {
  const answers = new Map<PropertyKey, Method>();
  for (const name of methodsOf(port)) {
    const method = (port[name] as Method).bind(port);
    const waits = methods[name] as true | ((...given: unknown[]) => boolean) | undefined;
    answers.set(name, waits === undefined ? method : waiting(method, waits, written));
  }
  return Object.fromEntries(answers) as Port;
}

function waiting(
  method: Method,
  waits: true | ((...given: unknown[]) => boolean),
  written: () => Promise<void>,
): Method {
  return async (...given) => {
    const returned = await method(...given);
    if (waits === true || waits(returned, ...given)) await written();
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
