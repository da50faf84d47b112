import { any, integer, list } from './answer-check.ts';
import { flag, key, number, text, scriptsOf } from './script.ts';

const { ofQueue, ofQueues, script } = scriptsOf('events');

export const noteMessages = ofQueue('note-messages', {
  hook: text,
  now: text,
  hooks: text,
  behind: text,
});
export const storeTime = ofQueues('store-time', {}, integer);
export const firstKept = ofQueues('first-kept', {}, list<string>);

const COPY = { before: text, token: text, most: number, life: text, tokenLife: text, from: text };
export const copyEvents = script('copy-events', ['events', 'copy', 'replaced'], COPY, any);
export const saveFigures = script('save-figures', ['meta', 'counted', 'failing'], {
  queue: text,
  minute: text,
  hasFailed: flag,
});
export const saveBacklogs = ofQueues('save-backlogs', {
  minutes: text,
  hours: text,
  minute: text,
  hour: text,
  minutesKept: text,
  hoursKept: text,
});
export const readCallFigures = ofQueues(
  'read-call-figures',
  { first: number, last: number },
  list<readonly string[]>,
);
export const saveCallFigures = ofQueue('save-call-figures', {
  minute: key,
  source: text,
  figures: text,
  kept: text,
});
