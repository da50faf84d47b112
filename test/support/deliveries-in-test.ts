import type { HookDeliveries } from '../../src/application/hooks/hooks.ts';
import type { HookDelivery } from '../../src/domain/hooks/delivery.ts';

/** Messages of hooks that a test makes up, the newest first. */
export class DeliveriesInTest implements HookDeliveries {
  readonly made = new Map<string, readonly HookDelivery[]>();
  readonly resent: string[] = [];

  list(hook: string, length: number): Promise<readonly HookDelivery[]> {
    return Promise.resolve((this.made.get(hook) ?? []).slice(0, length));
  }

  unsent(hook: string): Promise<number> {
    const pending = this.made.get(hook)?.filter(({ state }) => state === 'pending');
    return Promise.resolve(pending?.length ?? 0);
  }

  resend(hook: string, delivery: string): Promise<boolean> {
    const isThere = this.made.get(hook)?.some(({ id }) => id === delivery) === true;
    if (isThere) this.resent.push(delivery);
    return Promise.resolve(isThere);
  }

  remove(hook: string): Promise<void> {
    this.made.delete(hook);
    return Promise.resolve();
  }
}
