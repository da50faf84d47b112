import { expect } from 'chai';
import { acceptedFor } from '../../../src/domain/attempts/acceptance.ts';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';

const DEFERS: Endpoint = { url: 'http://localhost/', method: 'post', accepted: 'defer' };

describe('What an answer 202 means', () => {
  const bound = (endpoint: Endpoint, status: number, deadline?: string): number | undefined => {
    const headers = deadline === undefined ? {} : { 'jobgate-deadline': deadline };
    return acceptedFor(endpoint, { status, statusText: '', headers, body: '' });
  };

  // holds: deferred.accept
  it('is a result, unless the endpoint may accept jobs', () => {
    const { url, method } = DEFERS;
    expect(bound({ url, method }, 202)).to.equal(undefined);
    expect(bound({ url, method, deferTimeout: 5 }, 202, '70')).to.equal(undefined);
    for (const status of [200, 201, 203, 503]) expect(bound(DEFERS, status)).to.equal(undefined);
  });

  // holds: deferred.bound
  it('gives the endpoint an hour, the registered time, or the time that it asks for', () => {
    expect(bound(DEFERS, 202)).to.equal(3_600_000);
    expect(bound({ ...DEFERS, deferTimeout: 500 }, 202)).to.equal(500);
    expect(bound({ ...DEFERS, deferTimeout: 500 }, 202, ' 70000 ')).to.equal(70_000);
    for (const wrong of ['', '0', '-5', '1.5', 'soon', '1e3', '99999999999']) {
      expect(bound({ ...DEFERS, deferTimeout: 500 }, 202, wrong), wrong).to.equal(500);
    }
  });
});
