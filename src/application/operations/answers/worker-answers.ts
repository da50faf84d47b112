import { endpointShape } from '../../../domain/calls/endpoint.ts';
import { latestCallShape } from '../../../domain/calls/latest-calls.ts';
import {
  listOf,
  object,
  optional,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';
import { workerOptionsShape } from '../../../domain/workers/worker-options.ts';
import type { WorkerInput } from '../../../domain/workers/worker.ts';
import type { ChangedWorker } from '../../workers/workers.ts';

export const changedWorkerAnswer = object('ChangedWorker', {
  queue: required(string, 'The queue whose jobs it processes'),
  endpoint: required(endpointShape, 'Where and how jobs are delivered'),
  opts: optional(workerOptionsShape, 'How jobs are processed'),
  secret: optional(string, 'The new secret that signs its calls, which is shown only this once'),
} as const satisfies Record<keyof WorkerInput | keyof Pick<ChangedWorker, 'secret'>, Field>);

export const latestCallsAnswer = listOf(latestCallShape);
