import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const HOOK = { url: 'http://localhost:3000/hooks', events: ['job.failed'] };

describe('Sets of settings', () => {
  let service: HttpService;

  beforeEach(async () => {
    const team = { rights: ['configure', 'read', 'data'], queues: ['mail-*'] } as const;
    service = await new HttpService({
      keptIn: 'disk',
      knownTokens: restrictedTokens({ team }),
    }).start();
    for (const [hook, queues] of [
      ['all', undefined],
      ['shop', ['shop']],
      ['own', ['mail-eu']],
    ] as const) {
      await service.request('PUT', `/hooks/${hook}`, { body: { ...HOOK, queues } });
    }
  });
  afterEach(() => service.stop());

  const change = async (body: object, token?: string): Promise<string> => {
    const answer = await service.request('PATCH', '/setting-sets/default', {
      body,
      ...(token !== undefined && { token }),
    });
    return `${answer.status} ${answer.text}`;
  };

  const read = async (token?: string): Promise<unknown> => {
    const { text } = await service.request('GET', '/setting-sets/default', {
      ...(token !== undefined && { token }),
    });
    return (JSON.parse(text) as { settings: unknown }).settings;
  };

  for (const [setting, message] of [
    [{ kind: 'policy' }, 'This token may not use all queues'],
    [{ kind: 'hook', id: 'all' }, 'This token may not use all queues of the hook'],
    [{ kind: 'hook', id: 'shop' }, 'This token may not use all queues of the hook'],
    [
      { kind: 'hook', queue: 'mail-eu', id: 'shop' },
      'This token may not use all queues of the hook',
    ],
    [{ kind: 'hook', id: 'not-there' }, 'This token may not use all queues of the hook'],
    [{ kind: 'worker', queue: 'shop' }, 'This token may not use this queue'],
  ] as const) {
    // holds: settings.set-reach
    it(`take no setting beyond the queues of a token: ${JSON.stringify(setting)}`, async () => {
      expect(await change({ add: [setting] }, 'team')).to.equal(`403 ${message}`);
      expect(await read()).to.deep.equal([]);
    });
  }

  // holds: settings.set-reach
  it('lose no setting beyond the queues of a token, and show it no policy of all queues', async () => {
    const foreign = [{ kind: 'policy' }, { kind: 'hook', id: 'shop' }];
    expect(await change({ add: foreign })).to.equal('200 {"total":2}');
    for (const setting of foreign) {
      expect(await change({ remove: [setting] }, 'team')).to.match(/^403 /);
    }
    expect(await read()).to.have.lengthOf(2);
    expect(await read('team')).not.to.deep.include({ kind: 'policy' });
  });

  // holds: settings.set-reach
  it('take and lose settings of the queues of a token, also a hook that is gone', async () => {
    const own = [
      { kind: 'policy', queue: 'mail-eu' },
      { kind: 'hook', id: 'own' },
    ];
    expect(await change({ add: own }, 'team')).to.equal('200 {"total":2}');
    await service.request('DELETE', '/hooks/own');
    expect(await change({ remove: own }, 'team')).to.equal('200 {"total":0}');
  });
});
