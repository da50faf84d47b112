import {
  MAX_SIGNAL_BYTES,
  signalKeyShape,
  stepValueShape,
} from '../../domain/steps/suspend-answer.ts';
import { requestTooLarge } from '../../domain/errors.ts';
import {
  integer,
  listOf,
  nullable,
  object,
  optional,
  required,
  time,
} from '../../domain/values/shape.ts';
import type { Signals } from '../steps/signals.ts';
import { ofQueue } from './in-queue.ts';
import { order, place } from './input.ts';
import { operation } from './operation.ts';
import { numberOption, pageOf } from './options.ts';
import { answers, done } from './out.ts';

/** The longest time in ms for which a signal is kept: a week. */
export const LONGEST_KEPT = 604_800_000;

const signalAnswer = object('Signal', {
  key: required(signalKeyShape, 'Its key'),
  waiting: required(integer(0), 'How many jobs wait for it'),
  keptUntil: required(
    nullable(time),
    'Until when it is kept for waits that begin later, in milliseconds since 1970; null when it is not',
  ),
});

/** Signals for suspended jobs. */
export function signalOperations(signals: Signals) {
  return {
    sendSignal: operation({
      access: 'add',
      summary: 'Wake the jobs of a queue that wait for a signal',
      description:
        'The body, any JSON value but null, becomes the value of their steps; `true` without one. ' +
        'With `keep` a wait that begins later finds it.',
      in: {
        ...ofQueue,
        key: place<string>(),
        keep: numberOption(
          optional(
            integer(0, LONGEST_KEPT),
            'Milliseconds for which later waits find it; 0 unless given',
          ),
        ),
        order: order(stepValueShape, 'any JSON value but null', {
          whenAbsent: true,
          most: MAX_SIGNAL_BYTES,
          tooLarge: () => requestTooLarge(`A signal must be of at most ${MAX_SIGNAL_BYTES} bytes`),
        }),
      },
      out: answers(
        object('SignalSent', { woken: required(integer(0), 'How many jobs waited for it') }),
        'How many jobs it woke',
      ),
      errors: ['request-too-large', 'limit-reached'],
      perform: ({ queue, key, keep = 0, order }, { identity }) =>
        signals.send(queue, key, order, keep, identity),
    }),
    listSignals: operation({
      access: 'read',
      summary: 'List the signals of a queue that are kept, or that jobs wait for',
      description: 'By key; `start` and `length` choose some.',
      in: { ...ofQueue, ...pageOf('signals', 100) },
      out: answers(
        object('Signals', {
          total: required(integer(0), 'How many there are'),
          signals: required(listOf(signalAnswer), 'Those of this page'),
        }),
        'A page of the signals',
      ),
      perform: ({ queue, start, length }) => signals.list(queue, { start, length }),
    }),
    forgetSignal: operation({
      access: 'operate',
      action: 'signal.forget',
      summary: 'Forget a kept signal',
      description: 'Jobs that wait for it go on waiting.',
      in: { ...ofQueue, key: place<string>() },
      out: done('The signal is forgotten'),
      errors: ['signal-not-found'],
      perform: ({ queue, key }) => signals.forget(queue, key),
      report: { line: 'Signal forgotten by a client' },
    }),
  };
}
