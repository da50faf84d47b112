import { expect } from 'chai';
import sinon from 'sinon';
import { RecentQueueFigures } from '../../../src/application/queues/recent-queue-figures.ts';
import { beginOf } from '../../../src/domain/figures/figure-steps.ts';
import { FigureCounter } from '../../../src/domain/figures/figures.ts';
import { FailureGroups } from '../../../src/domain/jobs/failures.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { addOne } from '../../contracts/queue-steps.ts';
import { queueNamed } from '../../support/queue-named.ts';

describe('RecentQueueFigures', () => {
  // holds: figures.failing
  it('reads the day only of queues with failed jobs', async () => {
    const { queues, figures, now } = memoryQueueHarness();
    const [quiet, failing] = [queueNamed('quiet'), queueNamed('failing')];
    for (const queue of [quiet, failing]) await addOne(queues, queue);
    const counter = new FigureCounter();
    counter.count('failed', 3);
    const failures = new FailureGroups();
    failures.add({ id: '1', reason: 'Away', status: undefined, failedAt: now() });
    await figures.save({
      queue: failing,
      source: 'here',
      minute: { at: beginOf('minute', now()), figures: counter.figures },
      hour: { at: beginOf('hour', now()), figures: counter.figures },
      failures: failures.all(),
      calls: [],
    });
    const recent = sinon.spy(figures, 'recent');
    const found = await new RecentQueueFigures(figures).of([quiet, failing], now());
    expect(found.get(quiet)?.failing).to.equal(null);
    expect(found.get(failing)?.failing).to.include({ ended: 3, failed: 3 });
    const read = recent.args.map(([names, step]) => [step, names]);
    expect(read).to.deep.equal([
      ['minute', [quiet, failing]],
      ['hour', [failing]],
    ]);
  });
});
