import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Suspending } from '../../../../domain/steps/suspend-answer.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { readTexts } from './step-values.ts';

/** Reads into memory the bodies of the kept signals that a suspension finds: its step needs them at hand. */
export async function fetchKeptSignals(
  store: MemoryStore,
  name: QueueName,
  { signals }: Pick<Suspending, 'signals'>,
): Promise<void> {
  const queue = store.find(name);
  if (queue === undefined || signals.length === 0) return;
  const { bodies } = queue.signals;
  const missing = signals
    .map(({ key }) => key)
    .filter((key) => queue.signals.has(key) && bodies.find(key) === undefined);
  if (missing.length === 0) return;
  const read = await readTexts(queue, bodies, missing);
  for (const [index, key] of missing.entries()) {
    const body = read[index];
    if (body !== undefined && bodies.find(key) === undefined) bodies.restore(key, body);
  }
}
