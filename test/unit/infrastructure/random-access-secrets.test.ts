import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { isAccessToken } from '../../../src/adapters/shared/access-token-text.ts';
import { RandomAccessSecrets } from '../../../src/infrastructure/random-access-secrets.ts';

describe('RandomAccessSecrets', () => {
  const secrets = new RandomAccessSecrets();

  it('draws another id and another secret each time', () => {
    const ids = Array.from({ length: 1000 }, () => secrets.drawId());
    expect(new Set(ids)).to.have.property('size', 1000);
    for (const id of ids) expect(id).to.match(/^[0-9A-Za-z]{8}$/);
    const tokens = ids.map(() => secrets.draw('a0b1c2d3').token);
    expect(new Set(tokens)).to.have.property('size', 1000);
  });

  // holds: sign-in.sealed
  it('seals texts that the cookie alone opens, differently each time', () => {
    const [one, other] = [secrets.seal('cookie', 'refresh'), secrets.seal('cookie', 'refresh')];
    expect(one).not.to.equal(other).and.not.include('refresh');
    expect(secrets.unseal('cookie', one)).to.equal('refresh');
    expect(secrets.unseal('cookies', one)).to.equal(undefined);
    expect(secrets.unseal('cookie', `${one.startsWith('A') ? 'B' : 'A'}${one.slice(1)}`)).to.equal(
      undefined,
    );
  });

  // holds: tokens.checksum
  it('draws tokens whose checksum catches every wrong character', () => {
    const { token, sha256, hint } = secrets.draw('a0b1c2d3');
    expect(isAccessToken(token)).to.equal(true);
    expect(sha256).to.equal(createHash('sha256').update(token).digest('hex'));
    expect(token.startsWith(hint.slice(0, -1))).to.equal(true);
    expect(hint).to.have.lengthOf(17);
    for (let place = 0; place < token.length; place += 1) {
      const other = token[place] === 'x' ? 'y' : 'x';
      const slip = token.slice(0, place) + other + token.slice(place + 1);
      expect(isAccessToken(slip), slip).to.equal(false);
    }
  });
});
