import { DomainError } from '../../domain/errors.ts';

export function workerNotFound(): DomainError {
  return new DomainError('worker-not-found', 'Worker not found');
}
