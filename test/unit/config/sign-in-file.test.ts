import { expect } from 'chai';
import { ConfigError } from '../../../src/infrastructure/config/config-error.ts';
import { parseSignIn } from '../../../src/infrastructure/config/sign-in-file.ts';

const RULE = { claims: { groups: 'ops' }, name: 'ops', rights: ['admin'] };
const FILE = { issuer: 'https://id.example', clientId: 'jobgate', rules: [RULE] };

describe('the file of the sign-in', () => {
  it('is read, with the usual scopes', () => {
    expect(parseSignIn(JSON.stringify(FILE))).to.deep.equal({
      ...FILE,
      scopes: ['openid', 'email', 'groups'],
    });
    const given = { ...FILE, clientSecret: 's', scopes: ['openid', 'offline_access'] };
    expect(parseSignIn(JSON.stringify(given))).to.deep.equal(given);
  });

  for (const issuer of ['http://localhost:5556/dex', 'http://127.0.0.1:1', 'http://[::1]:1/']) {
    it(`may name an issuer over http on loopback: ${issuer}`, () => {
      expect(parseSignIn(JSON.stringify({ ...FILE, issuer })).issuer).to.equal(issuer);
    });
  }

  for (const [mistake, change] of [
    ['issuer must be an https URL, or an http URL of a loopback', { issuer: 'http://id.example' }],
    ['issuer must be an https URL', { issuer: 'http://localhost.example/' }],
    ['issuer must be an https URL', { issuer: 'https://id.example/?a=b' }],
    ['issuer must be an https URL', { issuer: 'id.example' }],
    ['clientId must be', { clientId: '' }],
    ['clientSecret must be', { clientSecret: 7 }],
    ['scopes must be', { scopes: [] }],
    ['scopes must be an array of', { scopes: ['openid', 'two words'] }],
    ['scopes must have openid', { scopes: ['email'] }],
    ['rules must be', { rules: {} }],
    ['rules[0].claims must name a claim', { rules: [{ ...RULE, claims: {} }] }],
    [
      'rules[1].rights must be an array of rights',
      { rules: [RULE, { ...RULE, rights: ['write'] }] },
    ],
    ['rules[0].rights must have read', { rules: [{ ...RULE, rights: ['data'] }] }],
    ['rules[0].queue is unknown', { rules: [{ ...RULE, queue: 'mail' }] }],
    ['client_id is unknown', { client_id: 'jobgate' }],
  ] as const) {
    // holds: sign-in.file
    it(`is refused with the path of the field: ${mistake}, of ${JSON.stringify(change)}`, () => {
      expect(() => parseSignIn(JSON.stringify({ ...FILE, ...change })))
        .to.throw(ConfigError)
        .with.property('message')
        .that.includes(`SIGN_IN_FILE: ${mistake}`);
    });
  }

  // holds: sign-in.file
  it('is refused when it is no JSON', () => {
    expect(() => parseSignIn('{')).to.throw(ConfigError, 'SIGN_IN_FILE: must hold JSON');
  });
});
