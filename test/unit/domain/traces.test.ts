import { expect } from 'chai';
import { REMOVED_EVENT } from '../../../src/domain/events/kept-event.ts';
import { erasure, type ErasureInput } from '../../../src/domain/jobs/erasure.ts';
import { Traces } from '../../../src/domain/jobs/traces.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('mail');

function tracesOf(data: Record<string, string | number | boolean>, mode?: ErasureInput['mode']) {
  return new Traces(erasure({ filter: { data }, ...(mode && { mode }) }), () => true);
}

describe('Traces', () => {
  // holds: erase.gone
  it('finds values at their paths, or longer ones as words of a text', () => {
    const short = tracesOf({ 'customer.id': '17' });
    expect(short.isIn('{"customer":{"id":"17"}}')).to.equal(true);
    expect(short.isIn('{"customer":{"id":17}}')).to.equal(false);
    expect(short.isIn('no customer 17')).to.equal(false);
    const long = tracesOf({ 'customer.id': 'ada-17' });
    for (const text of ['no ada-17', '"ada-17"', '{"text":"to ada-17, today"}', 'ada-17']) {
      expect(long.isIn(text), text).to.equal(true);
    }
    for (const text of ['ada-171', 'xada-17', 'ada', '', '{']) {
      expect(long.isIn(text), text).to.equal(false);
    }
    const quoted = tracesOf({ name: 'Ada "A" Lovelace' });
    expect(quoted.isIn(JSON.stringify({ text: 'Ada "A" Lovelace' }))).to.equal(true);
  });

  // holds: erase.gone
  it('takes only what holds all values', () => {
    const traces = tracesOf({ 'customer.id': 'ada-17', country: 'Sweden' });
    expect(traces.isIn('ada-17 of Sweden')).to.equal(true);
    expect(traces.isIn('ada-17')).to.equal(false);
    expect(tracesOf({ 'customer.id': 'ada-17', isVip: true }).isIn('ada-17')).to.equal(true);
    expect(tracesOf({ isVip: true }).isIn('true, it is')).to.equal(false);
  });

  // holds: erase.redact
  it('removes values from the events of a job, and what names it where it does not stay', () => {
    const completed = { name: 'completed', jobId: '1', group: 'ada-17', detail: '{}' };
    const added = { name: 'added', jobId: '1', group: 'b', detail: 'to-ada-17' };
    for (const mode of ['remove', 'redact'] as const) {
      const traces = tracesOf({ id: 'ada-17' }, mode);
      const isRemoved = mode === 'remove';
      expect(traces.eventWithout(QUEUE, completed)).to.equal(completed);
      traces.erase(QUEUE, '1');
      traces.erase(QUEUE, 'of-ada-17');
      const group = isRemoved ? undefined : 'ada-17';
      const left = { ...completed, group, detail: undefined };
      expect(traces.eventWithout(QUEUE, completed)).to.deep.equal(left);
      expect(traces.eventWithout(QUEUE, left)).to.equal(left);
      const nameless = isRemoved ? { ...added, detail: undefined } : added;
      expect(traces.eventWithout(QUEUE, added)).to.deep.equal(nameless);
      const named = { ...added, jobId: 'of-ada-17' };
      expect(traces.eventWithout(QUEUE, named)).to.equal(isRemoved ? REMOVED_EVENT : named);
      const other = { ...completed, jobId: '2' };
      expect(traces.eventWithout(QUEUE, other)).to.equal(other);
    }
  });

  // holds: erase.events
  it('removes a short value from ids only where no letter or digit continues it', () => {
    const traces = tracesOf({ id: '17' });
    const event = { name: 'waiting', group: undefined, detail: undefined };
    for (const [jobId, isNamed] of [
      ['17', true],
      ['order-17', true],
      ['170', false],
    ] as const) {
      traces.erase(QUEUE, jobId);
      const left = traces.eventWithout(QUEUE, { ...event, jobId });
      expect(left === REMOVED_EVENT, jobId).to.equal(isNamed);
    }
  });

  // holds: erase.active
  it('leaves what belongs to jobs that are left', () => {
    const traces = new Traces(erasure({ filter: { ids: ['1', '2'], queue: 'mail' } }), () => true);
    traces.leave(QUEUE, '1');
    const event = { name: 'progress', jobId: '1', group: undefined, detail: '1' };
    expect(traces.eventWithout(QUEUE, event)).to.equal(event);
    expect(traces.eventWithout(QUEUE, { ...event, jobId: '2' })).to.equal(REMOVED_EVENT);
    expect(traces.isOfJob('other', '2')).to.equal(false);
  });

  // holds: erase.scope
  it('takes messages about jobs of its queues only', () => {
    const order = erasure({ filter: { data: { id: 'ada-17' } } });
    const traces = new Traces(order, (queue) => queue === 'mail', false);
    const ended = { queue: 'mail', id: '9', group: null, value: '{"id":"ada-17"}' };
    expect(traces.isOfDelivery(ended)).to.equal(true);
    expect(traces.isOfDelivery({ ...ended, queue: 'other' })).to.equal(false);
    expect(traces.isOfDelivery({ ...ended, value: null })).to.equal(false);
    const message = { kind: 'failing', reason: 'no ada-17' };
    const job = { queue: 'mail', id: '9', group: null };
    expect(traces.isOfDelivery({ message: { ...message, job } })).to.equal(true);
    expect(traces.isOfDelivery({ message: { ...message, job, reason: 'Busy' } })).to.equal(false);
    const foreign = { ...job, queue: 'other' };
    expect(traces.isOfDelivery({ message: { ...message, job: foreign } })).to.equal(false);
    expect(traces.isOfDelivery({ message })).to.equal(false);
    expect(new Traces(order, () => true).isOfDelivery({ message })).to.equal(true);
    const callback = {
      type: 'job.failed',
      data: { queue: 'mail', id: '9', failedReason: 'no ada-17' },
    };
    expect(traces.isOfCallback(callback)).to.equal(true);
    expect(traces.isOfCallback({ ...callback, type: 'other' })).to.equal(false);
  });

  // holds: erase.places
  it('leaves figures without what they say of erased jobs', () => {
    const traces = tracesOf({ id: 'ada-17' });
    traces.erase(QUEUE, '1');
    const call = {
      attempt: 1,
      startedAt: 1,
      durationMs: 1,
      status: 500,
      outcome: 'failed',
      replica: 'one',
    };
    expect(
      traces.callsWithout(QUEUE, [
        { ...call, job: '1', reason: 'no Ada' },
        { ...call, job: '2', reason: 'no ada-17' },
        { ...call, job: '3', reason: null },
      ]),
    ).to.deep.equal([
      { ...call, job: '2', reason: 'no …' },
      { ...call, job: '3', reason: null },
    ]);
    const group = { cause: 'no #', status: null, count: 2, first: 1, last: 2 };
    expect(
      traces.failuresWithout(QUEUE, [{ ...group, reason: 'no 5', samples: ['1', '2'] }]),
    ).to.deep.equal([{ ...group, reason: 'no #', samples: ['2'] }]);
  });
});
