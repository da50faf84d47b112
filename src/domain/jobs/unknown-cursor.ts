import { invalidRequest, type DomainError } from '../errors.ts';

/** The error for a cursor that cannot be parsed. */
export function unknownCursor(): DomainError {
  return invalidRequest('cursor must be one that an answer to the same search had', 'cursor');
}
