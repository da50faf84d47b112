import { mapMethods, type Natures } from '../../../application/ports/nature.ts';
import type { StoreTimer } from './store-timer.ts';

/**
 * The port with the same methods, which are timed. Not so those whose time tells nothing about the store: lists in
 * pieces take as long as their readers, waits last until something happens, and others as there is much to do.
 */
export function timed<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  timer: StoreTimer,
): Port {
  return mapMethods(port, natures, (method, { is, isLong }) =>
    isLong === true || is === 'waits' || is.startsWith('streams')
      ? method
      : (...given: unknown[]) => timer.time(method(...given) as Promise<unknown>),
  );
}
