import { expect } from 'chai';
import { forbidsRetry } from '../../../src/domain/calls/no-retry.ts';

describe('an answer', () => {
  for (const headers of [
    { 'webhook-delivery': 'abort-message' },
    { 'webhook-delivery': ' Abort-Message ' },
    { 'webhook-delivery': 'disable, abort-message' },
    { 'jobgate-no-retry': 'true' },
    { 'jobgate-no-retry': ' TRUE' },
    { 'jobgate-no-retry': ['true', 'false'] },
  ]) {
    // holds: calls.no-retry
    it(`forbids another attempt by ${JSON.stringify(headers)}`, () => {
      expect(forbidsRetry({ headers })).to.equal(true);
    });
  }

  for (const headers of [
    {},
    { 'webhook-delivery': 'disable' },
    { 'webhook-delivery': 'abort' },
    { 'jobgate-no-retry': 'false' },
    { 'jobgate-no-retry': '' },
    { 'no-retry': 'true' },
  ]) {
    // holds: calls.no-retry
    it(`allows another attempt with ${JSON.stringify(headers)}`, () => {
      expect(forbidsRetry({ headers })).to.equal(false);
    });
  }
});
