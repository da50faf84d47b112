import { invalidRequest, type DomainError } from '../errors.ts';

/** The text of the cursor does not say where to go on. */
export function unknownCursor(): DomainError {
  return invalidRequest('cursor must be one that an answer to the same search had', 'cursor');
}
