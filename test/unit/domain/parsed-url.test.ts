import { expect } from 'chai';
import { parsedUrl } from '../../../src/domain/values/parsed-url.ts';

describe('the URL of a text', () => {
  it('is the same however often it is parsed', () => {
    for (let times = 0; times < 10_000; times += 1) {
      if (parsedUrl('http://bücher.test/ü')?.host === 'xn--bcher-kva.test') continue;
      expect.fail(`another one after ${times} times`);
    }
  });

  it('is undefined for any other text', () => {
    for (const text of ['', 'mail', '//host', 'http://']) {
      expect(parsedUrl(text), text).to.equal(undefined);
    }
  });
});
