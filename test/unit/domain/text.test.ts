import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  cutToBytes,
  cutToLength,
  excerpt,
  fitsInBytes,
  hasLength,
  isPrintable,
  isUnmistakable,
  trimmed,
} from '../../../src/domain/values/text.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { usedHeap } from '../../support/collect-garbage.ts';

describe('an excerpt of a client text', () => {
  // holds: security.long-texts
  it('is the text itself up to 200 characters, and ends there', () => {
    expect(excerpt('x'.repeat(200))).to.equal('x'.repeat(200));
    expect(excerpt('x'.repeat(201))).to.equal(`${'x'.repeat(200)}...`);
  });

  it('stays on one line and is whole', () => {
    expect(excerpt('a\r\nb\u0085')).to.equal('a\ufffd\ufffdb\ufffd');
    expect(excerpt(`${'x'.repeat(199)}🚀`)).to.equal(`${'x'.repeat(199)}\ufffd...`);
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => isPrintable(excerpt(text))));
  });
});

describe('the size of a text', () => {
  it('is counted in bytes of UTF-8', () => {
    const texts = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(texts, (text) => {
        const size = Buffer.byteLength(text);
        expect(fitsInBytes(text, size)).to.equal(true);
        if (size > 0) expect(fitsInBytes(text, size - 1)).to.equal(false);
      }),
    );
  });

  it('is counted in characters, a surrogate pair being one', () => {
    const bound = fc.nat({ max: 6 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), bound, bound, (text, least, more) => {
        const length = Array.from(text).length;
        const expected = length >= least && length <= least + more;
        expect(hasLength(text, least, least + more)).to.equal(expected);
      }),
    );
    expect(hasLength('🚀🚀', 2, 2)).to.equal(true);
    expect(hasLength('🚀🚀', 3, 4)).to.equal(false);
    expect(hasLength('abc', 1, 2)).to.equal(false);
  });
});

describe('cutting text to bytes', () => {
  for (const [text, bytes, kept] of [
    ['', 0, ''],
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['aüb', 2, 'a'],
    ['aüb', 3, 'aü'],
    ['日本', 5, '日'],
    ['日本', 6, '日本'],
    ['a🚀b', 4, 'a'],
    ['a🚀b', 5, 'a🚀'],
    ['a\ud800b', 4, 'a\ufffd'],
    ['a\ud800b', 99, 'a\ufffdb'],
    ['a\0b', 99, 'a\ufffdb'],
    ['\0\0\0', 7, '\ufffd\ufffd'],
  ] as const) {
    it(`keeps "${kept}" of "${text}" for ${String(bytes)}`, () => {
      expect(cutToBytes(text, bytes)).to.equal(kept);
    });
  }

  it('keeps nothing of the rest in memory', () => {
    const before = usedHeap();
    const cuts = Array.from({ length: 100 }, () => {
      const text = randomBytes(200_000).toString('hex');
      return [cutToBytes(text, 10_000), cutToLength(text, 100)];
    });
    expect(usedHeap() - before).to.be.lessThan(4_000_000);
    expect(cuts.flat().join('')).to.have.length(1_010_000);
  });
});

describe('a trimmed text', () => {
  it('has no white space around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(trimmed(` ${text}\n`)).to.equal(text.trim());
        expect(trimmed(text)).to.equal(text.trim());
      }),
    );
  });

  it('keeps nothing of the white space in memory', () => {
    const before = usedHeap();
    const reasons = Array.from({ length: 100 }, (_, index) =>
      trimmed(`The mailbox ${index} is full`.padEnd(400_000)),
    );
    expect(usedHeap() - before).to.be.lessThan(4_000_000);
    expect(reasons[7]).to.equal('The mailbox 7 is full');
  });
});

describe('invisible characters', () => {
  it('are those that Unicode has, apart from the joiners', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      const isInvisible = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/u.test(character);
      if (isInvisible === isUnmistakable(character)) expect.fail(`U+${point.toString(16)}`);
    }
  });
});
