import { DomainError } from '../../domain/errors.ts';

export function wrongJobToken(): DomainError {
  return new DomainError('unauthorized', 'The token is not that of a running attempt of this job');
}
