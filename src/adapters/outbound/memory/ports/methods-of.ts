/** The names of the methods of a port, those of the classes that it extends included. */
export function methodsOf<Port extends object>(port: Port): readonly (keyof Port)[] {
  const names = new Set<PropertyKey>();
  let each: object | null = port;
  while (each !== null && each !== Object.prototype) {
    for (const name of Reflect.ownKeys(each)) names.add(name);
    each = Object.getPrototypeOf(each) as object | null;
  }
  names.delete('constructor');
  return ([...names] as (keyof Port)[]).filter((name) => typeof port[name] === 'function');
}
