import { containerStore, type ContainerStoreSeams } from './container-store.ts';
import { environmentStore, type EnvironmentStoreSeams } from './environment-store.ts';
import type { StoreFinder } from './find-store.ts';
import { localStore, type LocalStoreSeams } from './local-store.ts';

export interface StoreSeams extends EnvironmentStoreSeams, LocalStoreSeams, ContainerStoreSeams {
  /** True when it put a server program on the PATH. */
  readonly install: () => Promise<boolean>;
}

/** Every way to come by a store, in the order of what it costs and of how explicitly it was asked. */
export function storeFinders(seams: StoreSeams): readonly StoreFinder[] {
  return [
    () => environmentStore(seams),
    () => localStore(seams),
    () => containerStore(seams),
    async () => ((await seams.install()) ? localStore(seams) : undefined),
  ];
}
