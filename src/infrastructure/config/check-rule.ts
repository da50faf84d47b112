import { DomainError } from '../../domain/errors.ts';

/** @throws DomainError with the message, unless the rule holds. */
export function checkRule(holds: boolean, message: string): asserts holds {
  if (!holds) throw new DomainError('invalid-request', message);
}
