import type { FiguresQuery } from '../../domain/figures/figure-series.ts';
import { STEPS } from '../../domain/figures/figure-steps.ts';
import { optional, integer } from '../../domain/values/shape.ts';
import { type Figures, figuresReportShape } from '../figures/figures.ts';
import { ofQueue } from './in-queue.ts';
import type { Option } from './input.ts';
import { operation } from './operation.ts';
import { numberOption } from './options.ts';
import { answers } from './out.ts';

const stepOption: Option<FiguresQuery['step']> = {
  kind: 'option',
  description: 'The length of a step, in milliseconds: a minute or an hour',
  schema: { type: 'integer', enum: Object.values(STEPS), default: STEPS.minute },
  parse: (text = String(STEPS.minute), refuse) => {
    const step = Object.values(STEPS).find((each) => String(each) === text);
    if (step === undefined) refuse(`must be ${Object.values(STEPS).join(' or ')}`);
    return step ?? STEPS.minute;
  },
};

const figuresQuery = {
  from: numberOption(
    optional(integer(0), 'When the first step begins, in milliseconds since 1970; an hour ago'),
  ),
  to: numberOption(
    optional(integer(0), 'A time in the last step, in milliseconds since 1970; now'),
  ),
  step: stepOption,
};

/** What happened in queues over time. */
export function figureOperations(figures: Figures) {
  return {
    readQueueFigures: operation({
      access: 'read',
      summary: 'Read what happened in a queue by minute or hour',
      description:
        'Series of one value a step: counts, levels, and how long jobs waited and calls took. ' +
        'Null stands for a step that nobody counted.',
      in: { ...ofQueue, ...figuresQuery },
      out: answers(figuresReportShape, 'The figures, over all replicas'),
      errors: ['queue-not-found'],
      perform: ({ queue, ...query }) => figures.ofQueue(queue, query),
    }),
    readFigures: operation({
      access: 'read',
      summary: 'Read what happened in all queues together by minute or hour',
      description: 'The series of a queue, added up over those queues that the token may use.',
      in: figuresQuery,
      out: answers(figuresReportShape, 'The figures, over all replicas'),
      perform: (query, { caller }) => figures.ofAll(query, caller.onlyQueues),
    }),
  };
}
