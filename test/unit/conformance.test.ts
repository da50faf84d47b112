import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { variableNames } from '../../src/infrastructure/config/variables.ts';
import { testTitles } from '../support/test-titles.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const TEXT = readFileSync(join(DOCS, 'conformance.md'), 'utf8');

/** `[label]: ../test/file.ts`, what a label in a table stands for. */
const FILES = new Map(
  [...TEXT.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label = '', path = '']) => [
    label,
    join(DOCS, path),
  ]),
);

interface Reference {
  readonly label: string;
  readonly title: string;
  /** Rows of the table that a table-driven test goes through. */
  readonly cases: readonly string[];
}

/** The cells of every table row below its header; a rule that is left out is that of the row above. */
const ROWS = [...TEXT.matchAll(/^\| (.*) \| (.*) \|$/gm)]
  .map(([, rule = '', holder = '']) => ({ rule: rule.trim(), holder: holder.trim() }))
  .filter(({ rule }) => rule !== 'Rule' && !/^-+$/.test(rule));

/** `[label] title`, the title as code, and code in parentheses for each case. */
function reference(holder: string): Reference | undefined {
  const label = /^\[([^\]]+)\] /.exec(holder)?.[1];
  const codes = [...holder.matchAll(/(`+) ?(.+?) ?\1/g)].map(([, , code = '']) => code);
  const [title, ...cases] = codes;
  return label === undefined || title === undefined ? undefined : { label, title, cases };
}

describe('docs/conformance.md', () => {
  it('says of every rule what holds it, or why nothing can', () => {
    expect(ROWS).to.have.lengthOf.above(200);
    for (const { rule, holder } of ROWS) {
      if (reference(holder) === undefined) {
        expect(holder, rule).to.match(/^Nothing to hold: .+\.$/);
        expect(rule).not.to.equal('');
      }
    }
  });

  it('explains each label once, and none that it does not use', () => {
    const used = new Set(ROWS.map(({ holder }) => reference(holder)?.label));
    used.delete(undefined);
    expect([...FILES.keys()]).to.have.members([...used]);
  });

  it('names every variable of the service', () => {
    for (const name of variableNames) expect(TEXT).to.match(new RegExp(`\\b${name}\\b`));
  });

  for (const [label, path] of FILES) {
    it(`names tests that are in ${label}`, () => {
      expect(existsSync(path), path).to.equal(true);
      const source = readFileSync(path, 'utf8');
      const titles = [...testTitles(path)];
      for (const { holder } of ROWS) {
        const named = reference(holder);
        if (named?.label !== label) continue;
        expect(titles).to.include(named.title);
        for (const each of named.cases) expect(source, named.title).to.include(each);
      }
    });
  }
});
