import { integer, isOne, list, maybe, tuple } from './answer-check.ts';
import { number, ofQueue, script, text } from './script.ts';

/** A job that existed before its add, by its position. */
export type Existing = readonly [position: number, id: string, isDeduplicated: 0 | 1];

/** The answer of a script when the key of an add is known. */
export type Recalled =
  | readonly ['other' | 'running']
  | readonly [
      'repeated',
      timestamp: string,
      first: string,
      existing: readonly Existing[],
      defaults?: string,
    ];

export const claimAdd = script('claim-add', ['record'], { body: text }, maybe(tuple<Recalled>));
export const recallAdd = script('recall-add', ['record'], { body: text }, maybe(tuple<Recalled>));

type Begun = readonly [name: string, first: string];
const STAGING = { prefix: text, random: text, queue: text, count: number };
export const beginStaging = script('begin-staging', ['stagedAdds'], STAGING, tuple<Begun>);
export const stageJobs = script('stage-jobs', ['stagedAdds', 'list'], { name: text }, isOne);

const DISCARDED = { prefix: text, name: text, most: number };
export const discardSome = script('discard-staged', ['stagedAdds'], DISCARDED, isOne);
export const latestDelayed = script('latest-delayed', ['delayed'], {}, list<string | null>);
export const measureJobs = ofQueue('measure-jobs', {}, integer);
export const noteMessages = ofQueue('note-messages', {
  hook: text,
  now: text,
  hooks: text,
  behind: text,
});
export const createQueue = ofQueue('create-queue');
