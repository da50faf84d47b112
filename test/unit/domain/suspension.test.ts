import { expect } from 'chai';
import { awaitedInWords, suspendedJson } from '../../../src/domain/steps/awaited.ts';
import {
  awaitedKeys,
  endedNow,
  isOver,
  latestEnd,
  type Wait,
} from '../../../src/domain/steps/suspension.ts';
import { queueNamed } from '../../support/queue-named.ts';

const NOW = 1000;
const QUEUE = queueNamed('ship');

const sleep = (until: number): Wait => ({ name: 'rest', kind: 'sleep', until });
const signal = (until?: number): Wait => ({ name: 'paid', kind: 'signal', key: 'paid:17', until });
const jobs: Wait = { name: 'ship', kind: 'jobs', jobs: [{ queue: QUEUE, id: '1' }] };

describe('What a suspended job awaits', () => {
  const cases: readonly {
    readonly title: string;
    readonly waits: readonly Wait[];
    readonly waitsForJobs?: boolean;
    readonly left: readonly string[];
    readonly until: number | undefined;
  }[] = [
    { title: 'a sleep that is not over', waits: [sleep(1001)], left: ['rest'], until: 1001 },
    { title: 'a sleep that ends now', waits: [sleep(1000)], left: [], until: 1000 },
    { title: 'a signal without a timeout', waits: [signal()], left: ['paid'], until: undefined },
    { title: 'a signal before its timeout', waits: [signal(2000)], left: ['paid'], until: 2000 },
    { title: 'a signal at its timeout', waits: [signal(1000)], left: [], until: 1000 },
    {
      title: 'a signal and a sleep, of which the latest end counts',
      waits: [signal(3000), sleep(2000)],
      left: ['paid', 'rest'],
      until: 3000,
    },
    {
      title: 'a sleep and a signal without a timeout',
      waits: [sleep(2000), signal()],
      left: ['rest', 'paid'],
      until: undefined,
    },
    { title: 'jobs', waits: [jobs], waitsForJobs: true, left: ['ship'], until: undefined },
    { title: 'jobs that have ended', waits: [jobs], left: [], until: undefined },
  ];
  for (const { title, waits, waitsForJobs = false, left, until } of cases) {
    // holds: steps.sleep, steps.shown
    it(`is known: ${title}`, () => {
      const awaited = waits.filter((wait) => !isOver(wait, NOW, waitsForJobs));
      expect(awaited.map(({ name }) => name)).to.deep.equal(left);
      expect(latestEnd(waits)).to.equal(until);
    });
  }

  // holds: steps.promote
  it('is over at once when the job is promoted', () => {
    const waits = [sleep(2000), sleep(500), signal(), signal(300)];
    const ended = endedNow({ waits, arrived: [] }, NOW);
    expect(ended.waits.every((wait) => isOver(wait, NOW, false))).to.equal(true);
    expect(ended.waits.map((wait) => 'until' in wait && wait.until)).to.deep.equal([
      1000, 500, 1000, 300,
    ]);
  });

  // holds: steps.shown
  it('names each signal once', () => {
    const other: Wait = { name: 'sent', kind: 'signal', key: 'sent:17' };
    expect(awaitedKeys([signal(), signal(900), other, sleep(2000)])).to.deep.equal([
      'paid:17',
      'sent:17',
    ]);
  });

  // holds: steps.shown
  it('is shown, and said in words', () => {
    const shown = { waits: [signal(2000)], jobs: [] };
    expect(suspendedJson(shown)).to.deep.equal({
      steps: ['paid'],
      until: 2000,
      signals: ['paid:17'],
      children: [],
    });
    expect(awaitedInWords(shown)).to.equal('waits for the signal paid:17');
    const one = { queue: QUEUE, id: '1' };
    expect(awaitedInWords({ waits: [jobs], jobs: [one] })).to.equal(
      'waits for 1 job that it added',
    );
    expect(awaitedInWords({ waits: [sleep(2000)], jobs: [] })).to.equal('sleeps in the step rest');
  });
});
