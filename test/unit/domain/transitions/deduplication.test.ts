import { expect } from 'chai';
import type { DeduplicationOptions } from '../../../../src/domain/jobs/deduplication.ts';
import {
  afterAdd,
  type DeduplicatedAdd,
  type StandingJob,
} from '../../../../src/domain/transitions/deduplication.ts';

const NOW = 1000;

const waiting: StandingJob = { jobId: 'first', endsAt: undefined, status: 'waiting' };
const delayed: StandingJob = { jobId: 'first', endsAt: undefined, status: 'delayed' };
const active: StandingJob = { jobId: 'first', endsAt: undefined, status: 'active' };
const gone: StandingJob = { jobId: 'first', endsAt: undefined, status: undefined };
const timed: StandingJob = { jobId: 'first', endsAt: 1500, status: 'delayed' };
const ended: StandingJob = { jobId: 'first', endsAt: 1500, status: 'completed' };

type Given = Omit<DeduplicationOptions, 'id'>;

function stored(endsAt?: number, replaces = false): DeduplicatedAdd {
  return { is: 'stored', standing: { jobId: 'second', endsAt }, replaces };
}

const CASES: readonly (readonly [
  title: string,
  options: Given,
  standing: StandingJob | undefined,
  expected: DeduplicatedAdd,
])[] = [
  ['stands for a free id until it ends', {}, undefined, stored()],
  ['stands for a free id for its ttl', { ttl: 50 }, undefined, stored(1050)],
  [
    'stands until it ends, whatever its ttl, to keep the last',
    { ttl: 50, keepLastIfActive: true },
    undefined,
    stored(),
  ],
  ['is left out beside a job that waits', {}, waiting, { is: 'left-out' }],
  ['is left out while the time of a job that ended lasts', {}, ended, { is: 'left-out' }],
  ['takes the id of a job that is gone', {}, gone, stored()],
  ['takes the place of a delayed job', { replace: true }, delayed, stored(undefined, true)],
  ['does not take the place of a job that waits', { replace: true }, waiting, { is: 'left-out' }],
  [
    'keeps the time of a delayed job that it replaces',
    { replace: true, ttl: 50 },
    timed,
    stored(1500, true),
  ],
  [
    'begins the time anew with extend',
    { replace: true, extend: true, ttl: 50 },
    timed,
    stored(1050, true),
  ],
  [
    'extends the time of the other',
    { extend: true, ttl: 50 },
    timed,
    { is: 'left-out', standing: { jobId: 'first', endsAt: 1050 } },
  ],
  ['extends nothing without a ttl', { extend: true }, timed, { is: 'left-out' }],
  [
    'follows the job that runs',
    { keepLastIfActive: true },
    active,
    { is: 'left-out', standing: { jobId: 'first', endsAt: undefined }, succeeds: true },
  ],
  ['follows no job that waits', { keepLastIfActive: true }, waiting, { is: 'left-out' }],
  [
    'gives a delayed job its delay',
    { reschedule: true },
    delayed,
    { is: 'left-out', reschedules: true },
  ],
  ['gives a job that waits no delay', { reschedule: true }, waiting, { is: 'left-out' }],
];

describe('a job with a deduplication id', () => {
  for (const [title, options, standing, expected] of CASES) {
    it(title, () => {
      expect(afterAdd('second', { id: 'same', ...options }, standing, NOW)).to.deep.equal(expected);
    });
  }
});
