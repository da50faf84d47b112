import { expect } from 'chai';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { CallRecorder } from '../../../src/application/calls/call-recorder.ts';
import type { AttemptEnded } from '../../../src/application/ports/attempt-observer.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { MinuteOfCalls } from '../../../src/application/ports/call-figures-port.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const MINUTE = 60_000;

/** A store that records what it is given, and may be away. */
class Saved {
  readonly minutes: MinuteOfCalls[] = [];
  isAway = false;

  save(minute: MinuteOfCalls): Promise<void> {
    if (this.isAway) return Promise.reject(storeUnavailable(new Error('gone')));
    this.minutes.push(minute);
    return Promise.resolve();
  }

  readEach(): Promise<never[]> {
    return Promise.resolve([]);
  }

  /** How many calls each save counted. */
  get calls(): number[] {
    return this.minutes.map(({ figures }) => figures.calls);
  }
}

function ended(queue: string, ending: AttemptEnding): AttemptEnded {
  const attempt = { job: { opts: {} } };
  const about = { queue: queueNamed(queue), attempt, result: { ending }, duration: 10 };
  return { kind: 'ended', ...about } as unknown as AttemptEnded;
}

const completed = (queue = 'mail'): AttemptEnded =>
  ended(queue, {
    kind: 'completed',
    returnvalue: null,
    call: { outcome: 'completed', status: 200 },
  });

const failed = (status?: number): AttemptEnded => {
  const call = { outcome: 'failed', ...(status !== undefined && { status }) } as const;
  return ended('mail', { kind: 'retry', reason: 'it broke', delay: 0, call });
};

describe('CallRecorder', () => {
  let clock: FakeClock;
  let store: Saved;
  let recorder: CallRecorder;
  let rounds: Rounds;

  beforeEach(async () => {
    clock = new FakeClock(50_000_000 * MINUTE);
    store = new Saved();
    recorder = new CallRecorder(store, 'here', clock, silentLogger);
    rounds = new Rounds(recorder, clock, silentLogger);
    await rounds.start();
  });

  afterEach(() => rounds.stop());

  // holds: worker-health.cost
  it('writes each queue once per second, and only when there is something new', async () => {
    for (let call = 0; call < 100; call += 1) recorder.observe(completed());
    recorder.observe(failed(500));
    recorder.observe(completed('other'));
    await clock.advance(1000);
    expect(store.minutes.map(({ queue }) => queue)).to.deep.equal(['mail', 'other']);
    expect(store.minutes[0]?.figures).to.deep.include({
      calls: 101,
      failures: 1,
      lastFailure: { at: 50_000_000 * MINUTE, reason: 'it broke' },
      lastAnswer: { at: 50_000_000 * MINUTE, status: 500 },
    });
    await clock.advance(10_000);
    expect(store.minutes).to.have.lengthOf(2);
    recorder.observe(completed());
    await clock.advance(1000);
    expect(store.calls).to.deep.equal([101, 1, 102]);
  });

  it('starts afresh with every minute', async () => {
    recorder.observe(completed());
    await clock.advance(MINUTE);
    recorder.observe(completed());
    recorder.observe(completed());
    await clock.advance(1000);
    const written = store.minutes.map(({ minute, figures }) => [minute, figures.calls]);
    expect(written).to.deep.equal([
      [50_000_000, 1],
      [50_000_001, 2],
    ]);
  });

  it('does not count attempts without a call', async () => {
    recorder.observe(ended('mail', { kind: 'failed', reason: 'Expired' }));
    await clock.advance(5000);
    expect(store.minutes).to.deep.equal([]);
  });

  it('writes the new figures of a queue before they are read', async () => {
    recorder.observe(failed());
    await recorder.flush(queueNamed('mail'));
    expect(store.minutes[0]?.figures).to.include({ calls: 1, failures: 1 });
    expect(store.minutes[0]?.figures).not.to.have.property('lastAnswer');
    await recorder.flush(queueNamed('mail'));
    expect(store.minutes).to.have.lengthOf(1);
  });

  // holds: erase.places
  it('forgets why calls failed, in one queue or in all, but not how many', async () => {
    for (const queue of [queueNamed('mail'), undefined]) {
      recorder.observe(failed(500));
      recorder.forget(queue);
      recorder.observe(completed());
      await recorder.flush(queueNamed('mail'));
      expect(store.minutes.at(-1)?.figures).not.to.have.property('lastFailure');
    }
    expect(store.minutes.at(-1)?.figures).to.include({ calls: 4, failures: 2 });
    recorder.observe(failed(500));
    recorder.forget(queueNamed('other'));
    await recorder.flush(queueNamed('mail'));
    expect(store.minutes.at(-1)?.figures).to.have.property('lastFailure');
  });

  it('keeps the figures while the store is away, as long as they count', async () => {
    store.isAway = true;
    recorder.observe(completed());
    await clock.advance(5 * MINUTE);
    recorder.observe(completed());
    recorder.observe(completed());
    await clock.advance(6 * MINUTE);
    store.isAway = false;
    await clock.advance(2000);
    expect(store.calls).to.deep.equal([2]);
    expect(store.minutes[0]?.minute).to.equal(50_000_005);
  });

  it('writes the remaining figures when it stops', async () => {
    recorder.observe(completed());
    await rounds.stop();
    expect(store.calls).to.deep.equal([1]);
  });
});
