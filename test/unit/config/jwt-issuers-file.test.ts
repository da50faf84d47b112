import { expect } from 'chai';
import { parseJwtIssuers } from '../../../src/infrastructure/config/jwt-issuers-file.ts';

const rule = { claims: { sub: '*' }, name: 'shop', rights: ['read'] };
const issuer = { issuer: 'https://issuer.example', audience: 'jobgate', rules: [rule] };

describe('The file of issuers', () => {
  // holds: jwt.file
  it('is read as it is', () => {
    expect(parseJwtIssuers(JSON.stringify([issuer]))).to.deep.equal([issuer]);
  });

  for (const [mistake, content] of [
    ['must hold JSON', '['],
    ['must hold a JSON array', '{}'],
    ['[0].issuer must be an http', JSON.stringify([{ ...issuer, issuer: 'me' }])],
    ['[1].issuer is that of another', JSON.stringify([issuer, issuer])],
    ['[0].key is unknown', JSON.stringify([{ ...issuer, key: 1 }])],
    [
      '[0].rules[1].rights must',
      JSON.stringify([{ ...issuer, rules: [rule, { ...rule, rights: [] }] }]),
    ],
    [
      '[0].rules[0].claims must name',
      JSON.stringify([{ ...issuer, rules: [{ ...rule, claims: {} }] }]),
    ],
    [
      '[0].rules[0].claims.sub must',
      JSON.stringify([{ ...issuer, rules: [{ ...rule, claims: { sub: 1 } }] }]),
    ],
    [
      '[0].rules[0].limit is unknown',
      JSON.stringify([{ ...issuer, rules: [{ ...rule, limit: 1 }] }]),
    ],
  ] as const) {
    // holds: jwt.file
    it(`names the mistake: ${mistake}`, () => {
      expect(() => parseJwtIssuers(content)).to.throw(`JWT_ISSUERS_FILE: ${mistake}`);
    });
  }
});
