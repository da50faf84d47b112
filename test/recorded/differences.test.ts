import { expect } from 'chai';
import { differences } from './differences.ts';

const sections = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));

describe('differences from a recording', () => {
  it('are the changed lines of each section that differs', () => {
    const recorded = sections({ same: 'a', changed: 'a\nb\nc', removed: 'd' });
    const shown = sections({ same: 'a', changed: 'a\nx\ny\nc', added: 'e' });
    expect(differences(recorded, shown)).to.deep.equal([
      '=== changed',
      '- b',
      '+ x',
      '+ y',
      '=== removed',
      '- d',
      '=== added',
      '+ e',
    ]);
  });

  it('has a line that was repeated', () => {
    const found = differences(sections({ one: 'a\nb' }), sections({ one: 'a\na\nb' }));
    expect(found).to.deep.equal(['=== one', '+ a']);
  });

  it('are cut short', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const titles = Array.from({ length: 25 }, (_, index) => [`section ${index}`, lines]);
    const found = differences(
      new Map(),
      sections(Object.fromEntries(titles) as Record<string, string>),
    );
    expect(found).to.include('+ and 10 more lines');
    expect(found.at(-1)).to.equal('and 5 more sections');
  });
});
