import { expect } from 'chai';
import { redactedOptions } from '../../../src/domain/records/redaction.ts';

describe('redactedOptions', () => {
  // holds: payloads.values
  it('leaves out the callback, and why a job is in a dead letter queue', () => {
    const opts = {
      attempts: 3,
      callback: { url: 'https://example.com/17', headers: { 'X-Customer': '17' } },
      origin: { queue: 'mail', id: '1', failedReason: 'no customer 17' },
    };
    expect(JSON.parse(redactedOptions(JSON.stringify(opts)))).to.deep.equal({
      attempts: 3,
      origin: { queue: 'mail', id: '1' },
    });
  });

  it('leaves other options as they are written', () => {
    expect(redactedOptions('{"attempts":1.0, "x":[]}')).to.equal('{"attempts":1.0, "x":[]}');
  });

  it('leaves nothing of what cannot be read', () => {
    for (const text of ['', 'broken 17', '17', '[17]', 'null']) {
      expect(redactedOptions(text)).to.equal('{}');
    }
  });
});
