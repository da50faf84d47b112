import type { HookDelivery } from '../../../../src/domain/hooks/delivery.ts';
import type { HttpService } from '../support/http-service.ts';
import { HELD, type TokenOf } from './openapi-call.ts';

const DELIVERY: HookDelivery = {
  id: 'one',
  type: 'queue.late',
  createdAt: 1_700_000_000_000,
  state: 'failed',
  attempts: 8,
  lastStatus: 503,
  reason: 'HTTP 503 Busy',
  nextAt: null,
  durationMs: 12,
};

/** Makes the jobs and the message that the calls of the OpenAPI document need. */
export async function prepareCalls(service: HttpService): Promise<TokenOf> {
  const add = async (queue: string, name: string): Promise<void> => {
    await service.request('POST', `/queues/${queue}/jobs`, { body: [{ name, data: 1 }] });
  };
  const tokens = new Map<string, string>();
  for (const queue of HELD) {
    await add(queue, 'held');
    tokens.set(queue, (await service.claim(queue)).token);
  }
  await add('ended', 'ended');
  const ended = await service.claim('ended');
  await service.settle('ended', ended, { kind: 'completed', returnvalue: 1 });
  await add('broken', 'broken');
  service.deliveries.made.set('on-call', [DELIVERY]);
  const broken = await service.claim('broken');
  await service.settle('broken', broken, { kind: 'failed', reason: 'HTTP 503 Busy' });
  return (queue) => tokens.get(queue)!;
}
