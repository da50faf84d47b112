import { elapsedInWords, inWords } from '../../../domain/values/duration.ts';
import { oneLine } from '../../../domain/values/text.ts';
import type {
  AffectedQueue,
  ConditionMessage,
  HookMessage,
  JobMessage,
} from '../../../domain/hooks/hook-message.ts';
import type { ConditionEvent } from '../../../domain/hooks/hook-events.ts';

/** One thing that a message says, in words, on one line. */
export interface MessageLine {
  /** What it is about; absent when no queue is. */
  readonly queue?: string;
  readonly text: string;
}

/** A message in words: one line for each queue that it names. */
export function messageLines(message: HookMessage): readonly MessageLine[] {
  return linesOf(message).map((line) => ({ ...line, text: oneLine(line.text) }));
}

function linesOf(message: HookMessage): readonly MessageLine[] {
  switch (message.kind) {
    case 'condition':
      return message.queues.map((affected) => ({
        queue: affected.queue,
        text: conditionText(message, affected),
      }));
    case 'job':
      return [{ queue: message.queue, text: jobText(message) }];
    case 'missed': {
      const { queue, scheduler, slot } = message;
      const time = new Date(slot).toISOString();
      return [{ queue, text: `the scheduler ${scheduler} made no job for ${time}` }];
    }
    case 'failing':
      return [{ text: `a delivery of the hook ${message.failing} failed: ${message.reason}` }];
    case 'test':
      return [{ text: 'this is a test' }];
  }
}

function conditionText(
  { type, isOver, at, threshold }: ConditionMessage,
  { value, since }: AffectedQueue,
): string {
  return isOver
    ? `over after ${elapsedInWords(at - since)}`
    : BEGUN[type](value ?? 0, threshold ?? 0);
}

const BEGUN: Readonly<Record<ConditionEvent, (value: number, threshold: number) => string>> = {
  'queue.late': (value, threshold) =>
    `the oldest job has waited for ${elapsedInWords(value)}; the threshold is ${inWords(threshold)}`,
  'queue.full': (value, threshold) =>
    `${value === 1 ? '1 job waits' : `${value} jobs wait`}; the threshold is ${threshold}`,
  'queue.failing': (value, threshold) =>
    `${percent(value)} of its jobs failed; the threshold is ${percent(threshold)}`,
  'queue.unserved': (value) =>
    `jobs wait, and there has been no worker for ${elapsedInWords(value)}`,
  'worker.open': () => 'the breaker is open after repeated failures of the endpoint',
  'worker.disabled': () => 'the worker is disabled',
};

/** Rounded down, so that less than all is never called 100 %. */
function percent(share: number): string {
  return `${Math.floor(Math.round(share * 1e6) / 1e4)} %`;
}

function jobText({ type, job: { id, name }, value }: JobMessage): string {
  const ended = `job ${id} (${name}) ${type.slice('job.'.length)}`;
  return type === 'job.completed' ? ended : `${ended}: ${value ?? ''}`;
}
