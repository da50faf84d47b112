import type { FlowJson } from '../../../domain/flows/flow-json.ts';
import { flowChildFields } from '../../../domain/flows/flow-child.ts';
import { FAILURE_RULES } from '../../../domain/flows/flow.ts';
import {
  anyJson,
  listOf,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
  type Shape,
} from '../../../domain/values/shape.ts';
import { jobFields, jobOptions } from './job-answers.ts';

export const flowChildrenAnswer = listOf(object('FlowChild', flowChildFields));

const { queue, id: flowJobId, name: flowJobName, state } = flowChildFields;
const { timestamp, processedOn, finishedOn } = jobFields;

const belowFlowJob: Shape<readonly object[]> = {
  ...listOf(object('StoredFlowJob', {})),
  schema: { type: 'array', items: { title: 'StoredFlowJob' } },
};

const LEFT_OUT = 'absent when it is longer than 1 kB: the job itself has it';

/** A tree of jobs. */
export const flowAnswer = object('StoredFlowJob', {
  queue,
  id: flowJobId,
  name: { ...flowJobName, isRequired: false },
  data: optional(anyJson, `The data for the endpoint, as its producer sent it; ${LEFT_OUT}`),
  opts: optional(jobOptions, `How it is processed; ${LEFT_OUT}`),
  onChildFailure: optional(
    oneOf(...FAILURE_RULES),
    'The effect of its failure on the job above it, which by default keeps waiting',
  ),
  state: { ...state, isRequired: false },
  returnvalue: optional(
    anyJson,
    `The answer of the endpoint, null until it completes; ${LEFT_OUT}`,
  ),
  failedReason: optional(string, `Why its last attempt failed; ${LEFT_OUT}`),
  timestamp: { ...timestamp, isRequired: false },
  processedOn,
  finishedOn,
  children: required(belowFlowJob, 'The jobs that it waits for, or waited for'),
} as const satisfies Record<keyof FlowJson, Field>);
