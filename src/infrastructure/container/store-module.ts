import {
  ContainerModule,
  type ContainerModuleLoadOptions,
  type ServiceIdentifier,
} from 'inversify';
import type { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../adapters/outbound/prometheus/timed.ts';
import type { CalendarPort } from '../../application/ports/calendar-port.ts';
import type { ClockPort } from '../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../application/ports/hooks-of-queues.ts';
import type { ReplicaSignalsPort } from '../../application/ports/replica-signals-port.ts';
import type { StoreBackupPort } from '../../application/ports/store-backup-port.ts';
import type { StoreHealthPort } from '../../application/ports/store-health-port.ts';
import type { Startable } from '../../application/running/startable.ts';
import { STORE_NATURES, type StorePorts } from '../../application/store-ports.ts';
import { storePortTokens, token, tokens } from './tokens.ts';

/** A store with everything that the service has of it. */
export interface WiredStore extends StorePorts {
  readonly store: Startable;
  readonly signals: ReplicaSignalsPort;
  readonly storeHealth: StoreHealthPort;
  readonly storeBackup?: StoreBackupPort;
  readonly storeFolder?: Startable;
}

/** Makes a store, once. */
export type MakeStore = (
  clock: ClockPort,
  calendar: CalendarPort,
  hooks: HooksOfQueues,
) => WiredStore;

const PORTS = Object.keys(STORE_NATURES) as (keyof StorePorts)[];
const PARTS = ['store', 'signals', 'storeHealth', 'storeBackup', 'storeFolder'] as const;

const wiredStore = token<WiredStore>('wired store');

/** Binds all ports and parts of a store. */
export function storeModule(make: MakeStore): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const { clock, calendar, hooksOfQueues } = tokens;
    bind(wiredStore).toResolvedValue(make, [clock, calendar, hooksOfQueues]);
    for (const name of [...PORTS, ...PARTS]) {
      const part: ServiceIdentifier = tokens[name];
      bind(part).toResolvedValue((store: WiredStore) => store[name], [wiredStore]);
    }
  });
}

/** Gives all users of the ports timed ones. */
export function timeStorePorts(
  onActivation: ContainerModuleLoadOptions['onActivation'],
  timer: StoreTimer,
): void {
  for (const name of PORTS) {
    const port: ServiceIdentifier<object> = storePortTokens[name];
    onActivation(port, (_, untimed) => timed(untimed, STORE_NATURES[name] as object, timer));
  }
}
