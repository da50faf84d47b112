import { expect } from 'chai';
import fc from 'fast-check';
import { JsonReader } from '../../../src/adapters/inbound/http/messages/json-reader.ts';
import { anyCharacter } from '../../support/any-character.ts';

function accepts(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function skipWhole(bytes: Buffer): void {
  const reader = new JsonReader(bytes);
  reader.skip();
  reader.end();
}

/** JSON text, and near misses. */
const json = fc.oneof(
  fc.json({ stringUnit: anyCharacter }),
  fc.jsonValue().map((value) => JSON.stringify(value, null, '\t\r\n ')),
);
const spoilt = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom(...Array.from('{}[]",:\\-+.0e1tu \u0000\u00a0é/')),
    fc.nat({ max: 2 }),
  )
  .map(([text, at, more, cut]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + more + text.slice(index + cut);
  });
const scraps = fc.stringMatching(
  /^[-+.0-9eE]{1,8}$|^"(\\[a-zA-Z"/\\0-9]{1,5})*"$|^[tfn][a-z]{2,5}$/,
);

describe('JsonReader', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    const verdicts = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.oneof(json, spoilt, scraps), (text) => {
        const valid = accepts(() => {
          JSON.parse(text.toWellFormed());
        });
        verdicts[`${valid}`] += 1;
        expect(accepts(() => skipWhole(Buffer.from(text)))).to.equal(valid);
      }),
      { numRuns: 1500 },
    );
    expect(verdicts.true).to.be.above(500);
    expect(verdicts.false).to.be.above(500);
  });

  it('says where the text is wrong', () => {
    for (const [text, words] of [
      ['[1,2', 'Unexpected end'],
      ['[1 2]', 'Unexpected token at byte 3'],
      ['{"a":1,}', 'Unexpected token at byte 7'],
      ['"a\nb"', 'Unexpected token at byte 2'],
      ['[1]x', 'Unexpected token at byte 3'],
    ] as const) {
      expect(() => skipWhole(Buffer.from(text))).to.throw(
        `The request body is not valid JSON: ${words}`,
      );
    }
  });
});
