import { DomainError } from '../../../../domain/errors.ts';
import {
  checkWorker,
  type Worker,
  type WorkerInput,
  type WorkerShape,
} from '../../../../domain/workers/worker.ts';
import { disabledShape } from '../../../../domain/workers/worker-disabling.ts';
import { checkSecrets } from '../../../../domain/calls/signing.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';

/**
 * Reads one field of the workers' hash. It may hold anything, written by an older version, by another program or by
 * hand; fields of a worker that this version does not know are ignored.
 *
 * @returns why it is invalid, if it is.
 */
export function readWorkerRecord(queue: string, text: string, shape: WorkerShape): Worker | string {
  const record = parsedJson(text);
  if (record === undefined) return 'The record is not JSON';
  if (!isObject(record)) return 'The record is not an object';
  if (record['queue'] !== queue) return 'The record names another queue';
  const { registration, registeredAt, disabled, disabledBy, ...worker } = record;
  try {
    const checked = checkWorker(worker as unknown as WorkerInput, shape);
    checkSecrets(checked.endpoint);
    return {
      ...checked,
      ...(typeof registration === 'string' && { registration }),
      ...(typeof registeredAt === 'number' && { registeredAt }),
      ...(disabledShape.accepts(disabled) && { disabled }),
      ...(typeof disabledBy === 'string' && { disabledBy }),
    };
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
