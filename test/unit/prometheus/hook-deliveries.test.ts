import { expect } from 'chai';
import { HookDeliveries } from '../../../src/adapters/outbound/prometheus/hook-deliveries.ts';

describe('HookDeliveries', () => {
  it('counts what became of the messages of each hook', () => {
    const deliveries = new HookDeliveries();
    deliveries.sent('on-call', 'retried');
    deliveries.sent('on-call', 'delivered');
    deliveries.sent('on-call', 'delivered');
    deliveries.sent('slack', 'failed');
    const { metric } = deliveries;
    expect(metric.name).to.equal('jobgate_hook_deliveries_total');
    expect(metric.samples()).to.deep.equal([
      { labels: { hook: 'on-call', outcome: 'retried' }, value: 1 },
      { labels: { hook: 'on-call', outcome: 'delivered' }, value: 2 },
      { labels: { hook: 'slack', outcome: 'failed' }, value: 1 },
    ]);
  });
});
