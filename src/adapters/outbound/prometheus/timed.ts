import type { StoreTimer } from './store-timer.ts';

type Method = (...parameters: never[]) => unknown;
type AsyncMethod = (...parameters: never[]) => Promise<unknown>;

/** Which methods of a port are timed: none of those that return something other than a promise. */
export type Timings<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends AsyncMethod ? boolean : false;
};

/** The port with the same methods, of which the chosen ones are timed. */
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
