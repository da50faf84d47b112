import { CronCalendar } from '../../src/adapters/outbound/cron/cron-calendar.ts';
import {
  MemoryStore,
  type MemoryStoreSettings,
} from '../../src/adapters/outbound/memory/state/memory-store.ts';
import type { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import { hooksOfTests } from './hooks-of-tests.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';

const USUAL: MemoryStoreSettings = {
  stalledGrace: 5000,
  eventsKept: 10_000,
  prefix: 'bull',
  replica: 'host:1',
  hooksOf: (queue) => hooksOfTests.of(queue),
};

/** A store in memory with the settings that a service has unless it is told otherwise. */
export function memoryStore(
  clock: ClockPort,
  settings: Partial<MemoryStoreSettings> = {},
  records?: StoreRecords,
): MemoryStore {
  return new MemoryStore(clock, new CronCalendar(), { ...USUAL, ...settings }, records);
}
