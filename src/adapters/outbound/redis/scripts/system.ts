import type { SummaryAnswer } from '../layout/queue-summary.ts';
import type { Holder } from '../../../../domain/queues/hold.ts';
import { any, integer, list, maybe, tuple, word } from './answer-check.ts';
import { key, number, ofQueue, ofQueues, script, text } from './script.ts';

type Names = readonly [names: string, last: string | null];
export const listQueues = ofQueues(
  'reading/list-queues',
  { from: text, most: number },
  tuple<Names>,
);

export type GlanceAnswer =
  | readonly [isPaused: number, summary: SummaryAnswer]
  | readonly [isPaused: number, summary: SummaryAnswer, since: number, until: number, by: Holder]
  | null;
export const readQueues = ofQueues('reading/read-queues', {}, list<GlanceAnswer>);
export const registerQueues = ofQueues('adds/register-queues');

type Memory = readonly [used: number, limit: number];
export const checkHealth = script('reading/check-health', ['absent']);
export const readMemory = script('reading/read-memory', ['absent'], {}, maybe(tuple<Memory>));
export const readServer = script('reading/read-server', ['registry', 'heldBack'], {}, word<string>);
export const readVersions = ofQueues('reading/read-versions', {}, list<string>);
export const readDataId = script('reading/read-data-id', ['dataId'], { id: text }, word<string>);
export const readReplicas = script(
  'reading/read-replicas',
  ['replicas'],
  { seenFor: number },
  list<string>,
);

const REPORT = { instance: text, clock: number, report: text, keptFor: number };
export const reportReplica = script('reading/report-replica', ['replicas'], REPORT);
export const storeTime = ofQueues('events/store-time', {}, integer);
export const firstKept = ofQueues('events/first-kept', {}, list<string>);

const COPY = { before: text, token: text, most: number, life: text, tokenLife: text, from: text };
export const copyEvents = script('events/copy-events', ['events', 'copy', 'replaced'], COPY, any);
export const readCallFigures = ofQueues(
  'events/read-call-figures',
  { first: number, last: number },
  list<readonly string[]>,
);
export const saveCallFigures = ofQueue('events/save-call-figures', {
  minute: key,
  source: text,
  figures: text,
  kept: text,
});
