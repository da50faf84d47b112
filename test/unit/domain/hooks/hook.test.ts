import { expect } from 'chai';
import {
  checkedHook,
  eventsOf,
  hookIdShape,
  isAboutJobs,
  queuesOf,
  type HookInput,
} from '../../../../src/domain/hooks/hook.ts';
import { rejection } from '../rejection.ts';

const url = 'https://example.com/hooks';
const NEEDS = {
  oldestWaiting: 1000,
  waiting: 5,
  failureRate: { over: 0.2 },
  noWorker: 60_000,
} as const;

describe('hook', () => {
  it('is signed, in the standard format, and patient unless it says otherwise', () => {
    const events = ['worker.open'] as const;
    expect(checkedHook({ url, events })).to.deep.equal({
      url,
      events,
      signing: true,
      for: 60_000,
      repeat: null,
      format: 'standard',
      paused: false,
    });
  });

  it('keeps what it is given', () => {
    const input: HookInput = {
      url,
      headers: { authorization: 'Bearer x' },
      signing: false,
      events: ['job.failed'],
      queues: ['mail-*', '!mail-vip'],
      when: { missed: 5 },
      for: 0,
      repeat: 60_000,
      distinct: 'cause',
      format: 'slack',
      paused: true,
    };
    expect(checkedHook(input)).to.deep.equal(input);
  });

  it('counts failures over ten minutes and ten jobs unless it says otherwise', () => {
    const hook = checkedHook({
      url,
      events: ['queue.failing'],
      when: { failureRate: { over: 0.5 } },
    });
    expect(hook.when?.failureRate).to.deep.equal({ over: 0.5, window: 600_000, atLeast: 10 });
  });

  for (const [event, need] of [
    ['queue.late', 'when.oldestWaiting'],
    ['queue.full', 'when.waiting'],
    ['queue.failing', 'when.failureRate'],
    ['queue.unserved', 'when.noWorker'],
  ] as const) {
    it(`has to give ${need} for ${event}`, () => {
      const given = { url, events: ['worker.open', event] } as const;
      const message = `${need} is required for ${event}`;
      expect(rejection(() => checkedHook(given))).to.equal(message);
      expect(() => checkedHook({ ...given, when: NEEDS })).not.to.throw();
    });
  }

  it('means by a wildcard all events whose needs are given', () => {
    const given = { url, events: ['queue.*', 'job.*'], when: { waiting: 5, noWorker: 1 } } as const;
    expect([...eventsOf(checkedHook(given))]).to.deep.equal([
      'queue.full',
      'queue.unserved',
      'job.completed',
      'job.failed',
      'job.expired',
      'job.cancelled',
    ]);
    const workers = checkedHook({ url, events: ['worker.*'] });
    expect([...eventsOf(workers)]).to.deep.equal(['worker.open', 'worker.disabled']);
  });

  it('cannot use a wildcard that means nothing', () => {
    expect(rejection(() => checkedHook({ url, events: ['queue.*'] }))).to.equal(
      'when.oldestWaiting, when.waiting, when.failureRate or when.noWorker is required for queue.*',
    );
  });

  it('reports causes only of failed jobs', () => {
    for (const events of [['job.*'], ['job.failed', 'worker.open']] as const) {
      expect(rejection(() => checkedHook({ url, events, distinct: 'cause' }))).to.equal(
        'distinct is only for the event job.failed',
      );
    }
  });

  it('is about jobs when it names an end of jobs', () => {
    expect(isAboutJobs({ events: ['job.expired'] })).to.equal(true);
    expect(isAboutJobs({ events: ['job.*'] })).to.equal(true);
    expect(isAboutJobs({ events: ['worker.*', 'scheduler.missed', 'hook.failing'] })).to.equal(
      false,
    );
  });

  it('is about all queues, or about those that its patterns include', () => {
    expect(queuesOf({})('mail')).to.equal(true);
    const isAbout = queuesOf({ queues: ['mail-*', '!mail-vip'] });
    expect(['mail-eu', 'mail-vip', 'sms'].map(isAbout)).to.deep.equal([true, false, false]);
  });

  const events = ['worker.open'] as const;
  for (const [given, message] of [
    [{ events }, 'url must be a valid http or https URL without user name or password'],
    [
      { url: 'ftp://a', events },
      'url must be a valid http or https URL without user name or password',
    ],
    [{ url }, 'events must be an array, not empty, of events: '],
    [{ url, events: [] }, 'events must be an array, not empty, of events: '],
    [{ url, events: ['queue.slow'] }, 'events must be an array, not empty, of events: '],
    [{ url, events: Array(21).fill('worker.open') }, 'events must have at most 20 items'],
    [{ url, events, queues: [] }, 'queues must be an array, not empty, of names of queues'],
    [{ url, events, queues: Array(101).fill('a') }, 'queues must have at most 100 items'],
    [{ url, events, for: 86_400_001 }, 'for must be an integer from 0 to 86400000'],
    [{ url, events, repeat: 59_999 }, 'repeat must be an integer from 60000 to 604800000, or null'],
    [{ url, events, when: { waiting: 0 } }, 'when.waiting must be an integer of at least 1'],
    [
      { url, events, when: { failureRate: { over: 2 } } },
      'when.failureRate.over must be a number from 0 to 1',
    ],
    [
      { url, events, when: { failureRate: { over: 0, window: 1 } } },
      'when.failureRate.window must be an integer from 60000 to 86400000',
    ],
    [{ url, events, distinct: 'job' }, 'distinct must be cause'],
    [{ url, events, format: 'xml' }, 'format must be standard, cloudevents, slack or alertmanager'],
    [
      { url, events, headers: { a: 'b'.repeat(8192) } },
      'headers must have at most 8192 characters of names and values together',
    ],
    [
      { url, events, headers: { 'webhook-id': 'x' } },
      'headers.webhook-id must be left out: only jobgate itself may set it',
    ],
  ] as const) {
    it(`is refused as "${message}…": ${JSON.stringify(given).slice(0, 90)}`, () => {
      expect(rejection(() => checkedHook(given as unknown as HookInput))).to.include(message);
    });
  }

  it('has an id of up to 100 letters, digits, points, underscores and hyphens', () => {
    expect(['a', 'On-call.2_x', 'x'.repeat(100)].every(hookIdShape.accepts)).to.equal(true);
    expect(['', 'a b', 'a/b', 'ä', 'x'.repeat(101)].some(hookIdShape.accepts)).to.equal(false);
  });
});
