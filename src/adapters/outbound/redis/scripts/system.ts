import type { SummaryAnswer } from '../layout/queue-summary.ts';
import type { Holder } from '../../../../domain/queues/hold.ts';
import { any, integer, list, maybe, tuple, word } from './answer-check.ts';
import { key, number, ofQueue, ofQueues, script, text } from './script.ts';

type Names = readonly [names: string, last: string | null];
export const listQueues = ofQueues('list-queues', { from: text, most: number }, tuple<Names>);

export type GlanceAnswer =
  | readonly [isPaused: number, summary: SummaryAnswer]
  | readonly [isPaused: number, summary: SummaryAnswer, since: number, until: number, by: Holder]
  | null;
export const readQueues = ofQueues('read-queues', {}, list<GlanceAnswer>);
export const registerQueues = ofQueues('register-queues');

type Memory = readonly [used: number, limit: number];
export const checkHealth = script('check-health', ['absent']);
export const readMemory = script('read-memory', ['absent'], {}, maybe(tuple<Memory>));
export const readServer = script('read-server', ['registry', 'heldBack'], {}, word<string>);
export const readVersions = ofQueues('read-versions', {}, list<string>);
export const readDataId = script('read-data-id', ['dataId'], { id: text }, word<string>);
export const readReplicas = script(
  'read-replicas',
  ['replicas'],
  { seenFor: number },
  list<string>,
);

const REPORT = { instance: text, clock: number, report: text, keptFor: number };
export const reportReplica = script('report-replica', ['replicas'], REPORT);
export const storeTime = ofQueues('store-time', {}, integer);
export const firstKept = ofQueues('first-kept', {}, list<string>);

const COPY = { before: text, token: text, most: number, life: text, tokenLife: text, from: text };
export const copyEvents = script('copy-events', ['events', 'copy', 'replaced'], COPY, any);
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
