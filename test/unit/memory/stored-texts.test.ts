import { expect } from 'chai';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { RecentPayloads } from '../../../src/adapters/outbound/memory/state/recent-payloads.ts';
import { StoredTexts } from '../../../src/adapters/outbound/memory/state/stored-texts.ts';
import { queueNamed } from '../../support/queue-named.ts';

const LONG = 'x'.repeat(1000);

describe('Texts of a queue', () => {
  const payloads = new RecentPayloads(1500, () => true);
  const textsOf = (values: KeptValues): StoredTexts =>
    new StoredTexts('step', queueNamed('orders'), { note: () => undefined }, { payloads, values });

  it('leave the memory again after they were read into it for a step', async () => {
    const values = new KeptValues();
    values.readFrom({
      find: (groups) =>
        Promise.resolve(groups.map((keys) => keys.map(() => JSON.stringify({ text: LONG })))),
    });
    const texts = textsOf(values);
    await texts.fetch(['one', 'two', 'three']);
    expect(texts.find('one')).to.equal(LONG);
    payloads.makeRoom();
    expect(['one', 'two', 'three'].map((id) => texts.find(id)?.length)).to.deep.equal([
      undefined,
      undefined,
      1000,
    ]);
    expect([...(await texts.read(['one'])).values()]).to.deep.equal([LONG]);
  });

  it('are read without those that are gone, of a store that has all in memory too', async () => {
    const texts = textsOf(new KeptValues());
    texts.put('there', 'text');
    const read = await texts.read(['gone', 'there']);
    expect([...read]).to.deep.equal([
      ['gone', undefined],
      ['there', 'text'],
    ]);
  });
});
