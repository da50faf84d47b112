import type { Signal, SignalScope } from '../../application/ports/replica-signals-port.ts';
import { isObject, parsedJson } from '../../domain/values/json.ts';

export interface SignalMessage {
  readonly signal: Signal;
  readonly scope: SignalScope;
}

const SIGNALS: Readonly<Record<Signal, true>> = {
  workers: true,
  policies: true,
  hooks: true,
  topics: true,
  cancelled: true,
  opened: true,
  erased: true,
};

/** The name of the signal and, after a space, its scope as JSON unless that is empty. */
export function writtenSignal({ signal, scope }: SignalMessage): string {
  return scope.queue === undefined ? signal : `${signal} ${JSON.stringify(scope)}`;
}

/** The signal of a message; undefined for a message that no replica of this version sends. */
export function readSignal(message: string): SignalMessage | undefined {
  const [signal = '', ...rest] = message.split(' ');
  if (!Object.hasOwn(SIGNALS, signal)) return undefined;
  const scope = rest.length === 0 ? {} : parsedJson(rest.join(' '));
  return isObject(scope) ? { signal: signal as Signal, scope } : undefined;
}
