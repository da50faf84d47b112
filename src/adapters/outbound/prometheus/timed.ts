import { naturesOf, type Natures } from '../../../application/ports/nature.ts';
import type { StoreTimer } from './store-timer.ts';

type Method = (...given: unknown[]) => unknown;

/**
 * The port with the same methods, which are timed. Not so those whose time tells nothing about the store: lists in
 * pieces take as long as their readers, waits last until something happens, and others as there is much to do.
 */
export function timed<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  timer: StoreTimer,
): Port {
  const methods = naturesOf(natures).map(([name, { is, isLong }]) => {
    const method = (port[name] as Method).bind(port);
    const isTimed = isLong !== true && is !== 'waits' && !is.startsWith('streams');
    return [
      name,
      isTimed ? (...given: unknown[]) => timer.time(method(...given) as Promise<unknown>) : method,
    ];
  });
  return Object.fromEntries(methods) as Port;
}
