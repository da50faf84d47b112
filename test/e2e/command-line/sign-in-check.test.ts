import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runWith } from '../../support/command-line.ts';

const RULES = [
  { claims: { groups: 'ops' }, name: 'ops', rights: ['admin'] },
  { claims: { groups: 'dev-*', vip: 'true' }, name: 'dev', rights: ['read'], queues: ['mail-*'] },
];

describe('jobgate sign-in check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jobgate-sign-in-'));
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: object | string): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const signIn = file('sign-in.json', {
    ...{ issuer: 'https://id.example', clientId: 'jobgate', rules: RULES },
  });
  const check = (claims: object, ...more: string[]) =>
    runWith({ SIGN_IN_FILE: signIn }, [
      ...['sign-in', 'check', '--claims', file('claims.json', claims)],
      ...more,
    ]);

  // holds: sign-in.check
  it('ends with 0 and the rights of the first rule that matches', async () => {
    const { code, output, errors } = await check({ sub: 'ada', groups: ['x', 'dev-a'], vip: true });
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/rule +dev\n.*rights +read\n.*queues +mail-\*/);
    expect(output).to.include('groups = ops: is x, dev-a');
    const { output: json } = await check({ groups: 'ops' }, '--json');
    expect(JSON.parse(json)).to.deep.include({
      match: { name: 'ops', rights: ['admin'], queues: null },
      claims: ['groups'],
    });
  });

  // holds: sign-in.check
  it('ends with 1 when no rule matches, and says what each lacks', async () => {
    const { code, output, errors } = await check({ sub: 'ada', roles: ['secret'], vip: false });
    expect([code, errors]).to.deep.equal([1, 'jobgate: Nobody with these claims may sign in\n']);
    expect(output).to.match(/rule +none matches\n/);
    expect(output).to.include('groups = dev-*: did not arrive');
    expect(output).to.include('vip = true: is false');
    expect(output)
      .to.match(/claims +roles, sub, vip/)
      .and.not.include('secret');
  });

  it('ends with 2 for a mistake in a file or the command line', async () => {
    for (const [message, args] of [
      ['--claims is missing', []],
      ['--claims cannot be read: ENOENT', ['--claims', '/nonexistent']],
      ['--claims must be a JSON object', ['--claims', file('list.json', [])]],
      ['SIGN_IN_FILE: issuer must', ['--claims', signIn, '--file', file('bad.json', { a: 1 })]],
    ] as const) {
      const { code, errors } = await runWith({ SIGN_IN_FILE: signIn }, [
        'sign-in',
        'check',
        ...args,
      ]);
      expect(code, message).to.equal(2);
      expect(errors).to.include(message);
    }
    const { errors } = await runWith({}, ['sign-in', 'check', '--claims', signIn]);
    expect(errors).to.include('--file is missing, and SIGN_IN_FILE is not set');
  });
});
