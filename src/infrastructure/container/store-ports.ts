import type { ContainerModuleLoadOptions, ServiceIdentifier } from 'inversify';
import type { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../adapters/outbound/prometheus/timed.ts';
import { STORE_NATURES, type StorePorts } from '../../application/store-ports.ts';
import { storePortTokens } from './tokens.ts';

const NAMES = Object.keys(STORE_NATURES) as (keyof StorePorts)[];

/** Binds all ports of a store at once. */
export function bindStorePorts(
  bind: ContainerModuleLoadOptions['bind'],
  ports: ServiceIdentifier<StorePorts>,
): void {
  for (const name of NAMES) {
    const port: ServiceIdentifier<object> = storePortTokens[name];
    bind(port).toResolvedValue((all: StorePorts) => all[name], [ports]);
  }
}

/** Gives all users of the ports timed ones. */
export function timeStorePorts(
  onActivation: ContainerModuleLoadOptions['onActivation'],
  timer: StoreTimer,
): void {
  for (const name of NAMES) {
    const token: ServiceIdentifier<object> = storePortTokens[name];
    onActivation(token, (_, port) => timed(port, STORE_NATURES[name] as object, timer));
  }
}
