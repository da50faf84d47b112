import type { StoreTimer } from './store-timer.ts';

type Method = (...parameters: never[]) => unknown;
type AsyncMethod = (...parameters: never[]) => Promise<unknown>;

/** Which methods of a port are timed: only methods that return a promise can be. */
export type Timings<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends AsyncMethod ? boolean : false;
};

/** The port with the same methods, timing the chosen ones. */
export function timed<Port extends object>(
  port: Port,
  timer: StoreTimer,
  timings: Timings<Port>,
): Port {
  const methods = port as Readonly<Record<string, Method>>;
  const call = (name: string, parameters: unknown[]): unknown =>
    Reflect.apply(methods[name] as Method, port, parameters);
  const entries = Object.entries(timings).map(([name, isTimed]) => [
    name,
    isTimed
      ? (...parameters: unknown[]) => timer.time(call(name, parameters) as Promise<unknown>)
      : (...parameters: unknown[]) => call(name, parameters),
  ]);
  return Object.fromEntries(entries) as Port;
}
