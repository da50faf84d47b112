import { DomainError } from '../../domain/errors.ts';

export function queueNotFound(): DomainError {
  return new DomainError('queue-not-found', 'Not found');
}
