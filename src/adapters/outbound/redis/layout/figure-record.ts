import { ANSWER_CLASSES, COUNTED, type Figures } from '../../../../domain/figures/figures.ts';
import type { Backlog } from '../../../../domain/figures/figure-steps.ts';
import type { CallDurations } from '../../../../domain/calls/call-durations.ts';

/**
 * Figures as short texts, since there may be millions of them: the lists of counts, answers, waits and calls, with
 * commas within a list and semicolons between the lists, and last what starts counted in limiters. A count of 0 is empty, and nothing is written for what is
 * missing at the end of a list.
 */
export function figureRecord({ counts, answers, waits, calls, cost = 0 }: Figures): string {
  const lists = [
    COUNTED.map((name) => shortNumber(counts[name])).join(','),
    ANSWER_CLASSES.map((name) => shortNumber(answers[name])).join(','),
    durationsRecord(waits),
    durationsRecord(calls),
    ...(cost === 0 ? [] : [String(cost)]),
  ];
  return lists.map((list) => list.replace(/,+$/, '')).join(';');
}

/** Undefined for a record that another program or version wrote. */
export function figuresOf(record: string): Figures | undefined {
  const [counts, answers, waits, calls, cost] = record.split(';');
  if (calls === undefined || waits === undefined || answers === undefined) return undefined;
  return {
    counts: named(COUNTED, counts ?? ''),
    answers: named(ANSWER_CLASSES, answers),
    waits: durationsOf(waits),
    calls: durationsOf(calls),
    ...(cost !== undefined && { cost: numberOf(cost) }),
  };
}

/** How many jobs wait, and how long the oldest has waited. */
export function backlogRecord({ waiting, oldestWaiting }: Backlog): string {
  return `${waiting},${oldestWaiting ?? ''}`;
}

export function backlogOf(record: string): Backlog {
  const [waiting, oldest] = record.split(',');
  return {
    waiting: numberOf(waiting),
    oldestWaiting: oldest === undefined || oldest === '' ? null : numberOf(oldest),
  };
}

function named<const Name extends string>(
  names: readonly Name[],
  list: string,
): Record<Name, number> {
  const values = list.split(',');
  const entries = names.map((name, index) => [name, numberOf(values[index])]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

function durationsRecord(durations: CallDurations): string {
  return Object.entries(durations)
    .map(([number, count]) => `${number}:${count}`)
    .join(',');
}

function durationsOf(list: string): CallDurations {
  if (list === '') return {};
  const entries = list.split(',').map((pair) => {
    const [number = '', count] = pair.split(':');
    return [number, numberOf(count)] as const;
  });
  return Object.fromEntries(entries);
}

function shortNumber(value: number): string {
  return value === 0 ? '' : String(value);
}

function numberOf(text: string | undefined): number {
  return Number(text ?? 0) || 0;
}
