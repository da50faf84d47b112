import { expect } from 'chai';
import fc from 'fast-check';
import { inspectJson } from '../../../src/adapters/inbound/exchange/json-inspection.ts';
import { pathsOf } from '../../../src/adapters/inbound/http/messages/json-path.ts';
import type { Path } from '../../../src/adapters/inbound/http/messages/mistakes.ts';
import { anyCharacter } from '../../support/any-character.ts';

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1);
}

/** The paths of all zeros, in the order of the document. */
function zeros(value: unknown, path: Path = []): Path[] {
  if (value === 0) return [path];
  if (Array.isArray(value)) return value.flatMap((each, index) => zeros(each, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => zeros(each, [...path, name]));
}

const indents = fc.constantFrom(undefined, 1, '\t\r\n ');

describe('the inspection of JSON text', () => {
  it('counts values of all kinds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), indents, (value, indent) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent));
        expect(inspectJson(bytes).values).to.equal(count(value));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the end of long strings, whatever is escaped in them', () => {
    const parts = fc.array(fc.constantFrom('x'.repeat(70), '"', '\\', 'é'));
    const strings = fc.array(parts.map((some) => some.join('')));
    fc.assert(
      fc.property(strings, (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        expect(inspectJson(bytes).values).to.equal(count(value));
      }),
      { numRuns: 300 },
    );
  });

  // holds: bounds.numbers
  it('finds the numbers that a double cannot hold, and where they are', () => {
    const name = fc.string().filter((text) => text !== '__proto__' && !/^\d+$/.test(text));
    const { value: values } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(0, 1, -1.5, 'a"0', true, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(values, indents, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const unfit = text.replace(/("(?:[^"\\]|\\.)*")|\b0\b/g, (_, string?: string) => {
          return string ?? '12345678901234567';
        });
        const bytes = Buffer.from(unfit);
        const found = inspectJson(bytes).unfit.map(({ at }) => at);
        expect(pathsOf(bytes, found)).to.deep.equal(zeros(value).slice(0, 10));
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with doubles on every number', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);
    const number = fc
      .tuple(digits, fc.stringMatching(/^(\.\d{1,20})?(e[+-]?\d{1,3})?$/))
      .map(([whole, rest]) => whole + rest);
    const extreme = fc.constantFrom('9007199254740992', '9007199254740993', '1.8e308', '17e307');
    fc.assert(
      fc.property(fc.oneof(number, extreme), (text) => {
        const integer = /^\d+$/.test(text);
        const fit = integer ? BigInt(text) <= 2n ** 53n : Number.isFinite(Number(text));
        expect(inspectJson(Buffer.from(`[-${text}]`)).unfit).to.have.length(fit ? 0 : 1);
      }),
      { numRuns: 300 },
    );
  });
});
