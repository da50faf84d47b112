import { randomUUID } from 'node:crypto';
import { ChangedRecords } from '../../src/adapters/outbound/memory/records/changed-records.ts';
import { KeptValues } from '../../src/adapters/outbound/memory/records/kept-values.ts';
import { EmbeddedStore } from '../../src/adapters/outbound/embedded/embedded-store.ts';
import { memoryAttempts } from '../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memoryQueues } from '../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { memoryStore } from '../../test/support/memory-store.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import { newJob } from '../../src/domain/jobs/job.ts';
import { SystemClock } from '../../src/infrastructure/system-clock.ts';
import type { AttemptPorts } from '../../src/application/store-ports.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { Json } from '../../src/domain/values/json.ts';
import { queueNamed } from '../../test/support/queue-named.ts';
import { silentLogger } from '../../test/support/silent-logger.ts';

const BATCH = 1000;
const HOUR = 3_600_000;

export interface Filling {
  readonly jobs: number;
  /** Whether the jobs have completed, or wait. */
  readonly areCompleted: boolean;
  readonly data: Json;
}

/** Fills a folder with jobs of one queue, by the steps of the store itself. */
export async function fillFolder(folder: string, filling: Filling): Promise<void> {
  const changed = new ChangedRecords();
  const keptValues = new KeptValues();
  const records = new StoreRecords(changed, keptValues);
  const queues = memoryStore(new SystemClock(), { stalledGrace: 30_000 }, records);
  const failed = (error: Error): void => {
    throw error;
  };
  const parts = { queues, records, changed, keptValues };
  const store = new EmbeddedStore(folder, parts, silentLogger, failed);
  await store.take();
  await store.start(new AbortController().signal);
  const adding = memoryQueues(queues);
  const attempts = memoryAttempts(queues);
  const queue = queueNamed('bench');
  const job = newJob({ name: 'mail', data: filling.data }, '');
  for (let left = filling.jobs; left > 0; left -= BATCH) {
    await adding.add(queue, new Array(Math.min(left, BATCH)).fill(job));
    if (filling.areCompleted) await completeAll(attempts, queue);
    await store.written();
  }
  await store.stop();
}

async function completeAll(attempts: AttemptPorts, queue: QueueName): Promise<void> {
  for (;;) {
    const claim = await attempts.claim(queue, { token: randomUUID(), lockDuration: HOUR });
    if (claim.kind !== 'attempt') return;
    await attempts.settle(queue, claim.attempt, { kind: 'completed', returnvalue: { ok: true } });
  }
}
