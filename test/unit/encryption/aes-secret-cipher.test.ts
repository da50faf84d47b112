import { expect } from 'chai';
import { AesSecretCipher } from '../../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { encryptionKey } from '../../support/encryption-key.ts';

const [NEW, OLD] = [encryptionKey('new'), encryptionKey('old')];
const PLACE = ['mail', 'endpoint.headers.authorization'];
const TEXT = 'Bearer ünïcode \u00ff';

describe('AesSecretCipher', () => {
  const cipher = new AesSecretCipher([NEW, OLD]);

  it('encrypts differently each time, for the key that is named', () => {
    expect([cipher.currentKey, cipher.keys]).to.deep.equal(['new', ['new', 'old']]);
    const [one, two] = [cipher.encrypt('new', TEXT, PLACE), cipher.encrypt('new', TEXT, PLACE)];
    expect(one).not.to.equal(two);
    for (const each of [one, two]) {
      expect(cipher.decrypt('new', each, PLACE)).to.equal(TEXT);
      expect(cipher.decrypt('old', each, PLACE)).to.equal(undefined);
    }
  });

  it('decrypts with every key', () => {
    const former = cipher.encrypt('old', TEXT, PLACE);
    expect(cipher.decrypt('old', former, PLACE)).to.equal(TEXT);
    expect([cipher.has('old'), cipher.has('none')]).to.deep.equal([true, false]);
    expect(cipher.decrypt('none', former, PLACE)).to.equal(undefined);
  });

  // holds: secrets-at-rest.place
  it('opens a text only at its place, and no text that was changed', () => {
    const content = cipher.encrypt('new', TEXT, PLACE);
    const places = [['mail'], ['mai', 'lendpoint.headers.authorization'], ['other', PLACE[1]!]];
    for (const place of places) expect(cipher.decrypt('new', content, place)).to.equal(undefined);
    const bytes = Buffer.from(content, 'base64');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(cipher.decrypt('new', changed.toString('base64'), PLACE)).to.equal(undefined);
    }
    for (const broken of ['', 'a', content.slice(0, 30)]) {
      expect(cipher.decrypt('new', broken, PLACE)).to.equal(undefined);
    }
  });

  it('has no key to encrypt with if none is given', () => {
    const none = new AesSecretCipher([]);
    expect(none.currentKey).to.equal(undefined);
    expect(() => none.encrypt('new', TEXT, PLACE)).to.throw('no key');
  });
});
