import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.ts';

/** The message for the client of the invalid request with which the action must fail. */
export function rejection(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).to.equal('invalid-request');
    return error.message;
  }
  throw new Error('Nothing was refused');
}
