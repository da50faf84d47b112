import { expect } from 'chai';
import { credentialOf } from '../../../src/adapters/inbound/sqs/fields/credential.ts';

const SIGNED = 'SignedHeaders=host;x-amz-date, Signature=0123';

const header = (credential: string, algorithm = 'AWS4-HMAC-SHA256'): string =>
  `${algorithm} Credential=${credential}, ${SIGNED}`;

describe('the credential of a signed request', () => {
  const TOKENS = [
    'AKIDEXAMPLE',
    'jg_a_b',
    'with/slash',
    'a//b/',
    'a,b=c',
    'eyJh.eyJi.c-_',
    '%41',
    'ü',
  ];
  for (const token of TOKENS) {
    // holds: sqs.callers
    it(`has the access key id ${token} and the region`, () => {
      const scope = '20260101/eu-central-1/sqs/aws4_request';
      const found = { token, region: 'eu-central-1' };
      expect(credentialOf(header(`${token}/${scope}`))).to.deep.equal(found);
      expect(credentialOf(`AWS4-HMAC-SHA256 Credential=${token}/${scope}`)).to.deep.equal(found);
      expect(
        credentialOf(`AWS4-HMAC-SHA256 ${SIGNED}, Credential=${token}/${scope}`),
      ).to.deep.equal(found);
    });
  }

  // holds: sqs.region
  it('has the usual region where the scope has none', () => {
    const region = 'us-east-1';
    const anyRegion = header('a/20260101/sqs/aws4_request', 'AWS4-ECDSA-P256-SHA256');
    expect(credentialOf(anyRegion)).to.deep.equal({ token: 'a', region });
    expect(credentialOf(header('a/20260101//sqs/aws4_request'))).to.deep.equal({
      token: 'a',
      region,
    });
    const odd = header('a/20260101/<script>/sqs/aws4_request');
    expect(credentialOf(odd)).to.deep.equal({ token: 'a', region });
  });

  for (const given of [
    undefined,
    '',
    'Bearer a',
    'AWS4-HMAC-SHA256',
    header('a'),
    header('/20260101/eu/sqs/aws4_request'),
    header('20260101/eu/sqs/aws4_request'),
    'AWS AKIDEXAMPLE:signature',
  ]) {
    // holds: sqs.callers
    it(`is none of ${String(given)}`, () => {
      expect(credentialOf(given)).to.equal(undefined);
    });
  }

  it('is found in time, whatever the header has', () => {
    const began = performance.now();
    for (const part of ['Credential=', '/20260101/a/b', 'a/1/', ', ']) {
      credentialOf(`AWS4-HMAC-SHA256 ${part.repeat(16_384 / part.length)}`);
    }
    expect(performance.now() - began).to.be.below(1000);
  });
});
