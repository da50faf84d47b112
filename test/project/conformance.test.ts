import { expect } from 'chai';
import { variableNames } from '../../src/infrastructure/config/variables.ts';
import { allHolders } from '../conformance/holders.ts';
import { allRules } from '../conformance/rules.ts';

describe('the rules of the service', () => {
  const rules = allRules();
  const ids = rules.map(([id]) => id);
  const holders = allHolders();

  it('have ids of their own', () => {
    expect(ids).to.deep.equal([...new Set(ids)]);
  });

  it('are all that tests say to hold', () => {
    const known = new Set(ids);
    for (const { file, rules } of holders) {
      for (const id of rules) expect(known.has(id), `${id} in test/${file}`).to.equal(true);
    }
  });

  it('are held by a test, or say why nothing can hold them', () => {
    const held = new Set(holders.flatMap((holder) => holder.rules));
    for (const [id, rule] of rules) expect(held.has(id), id).to.equal(typeof rule === 'string');
  });

  it('name every variable', () => {
    const texts = JSON.stringify(rules);
    for (const name of variableNames) expect(texts).to.match(new RegExp(`\\b${name}\\b`));
  });
});
