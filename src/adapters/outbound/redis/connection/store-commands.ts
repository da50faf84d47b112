import type { RedisClient } from './redis-client.ts';
import { Scripts } from './scripts.ts';
import type { StoreErrors } from './store-errors.ts';
import { StoreTime } from './store-time.ts';

/** The shared connection for commands, with what there is once for it: its scripts and the store's time. */
export class StoreCommands {
  readonly client: RedisClient;
  readonly errors: StoreErrors;
  readonly scripts: Scripts;
  readonly time: StoreTime;

  /** @param eventsKept as in the constructor of Scripts. */
  constructor(client: RedisClient, errors: StoreErrors, eventsKept: number) {
    this.client = client;
    this.errors = errors;
    this.scripts = new Scripts(client, errors, eventsKept);
    this.time = new StoreTime(client);
  }
}
