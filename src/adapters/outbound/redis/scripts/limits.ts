import { integer, list, tuple } from './answer-check.ts';
import { number, scriptsOf, text } from './script.ts';

const { ofQueue, ofQueues } = scriptsOf('limits');

/** Empty for a limit that does not exist. 0 stands for a missing time. */
export type LimitAnswer =
  | readonly [
      settings: string,
      running: number,
      ofQueue: number,
      started: number,
      closedFor: number,
    ]
  | readonly [];
export const readLimits = ofQueues('read-limits', {}, list<LimitAnswer>);

export const bindLimit = ofQueues('bind-limit', { name: text, value: text, delay: number });

type AtLimit = readonly [running: readonly (string | number)[], waiting: readonly string[]];
export const queuesAtLimit = ofQueues('queues-at-limit', { name: text }, tuple<AtLimit>);

export const leaveAllLimits = ofQueue('leave-all', { most: number }, integer);
