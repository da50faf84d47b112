import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import sinon from 'sinon';
import { commands } from '../../clients/command-line/commands.ts';
import { find } from '../../clients/command-line/lookup.ts';
import { prepareCalls } from '../integration/http/openapi/prepare-calls.ts';
import { HttpService, TOKEN } from '../integration/http/support/http-service.ts';
import { runWith } from '../support/command-line.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { encryptionKey } from '../support/encryption-key.ts';
import { Recording } from './recording.ts';

/** They go on until they are stopped; other tests read their output. */
const ENDLESS = ['tail', 'listen', 'mcp', 'qstash-dev'];

/** The file of the sign-in. */
const SIGN_IN = {
  ...{ issuer: 'https://id.example', clientId: 'jobgate' },
  rules: [{ claims: { groups: 'ops' }, name: 'ops', rights: ['read', 'operate'] }],
};

/** One command a line. One with `…` at its end runs once more with `--json`; the text after `<` is its input. */
const SCRIPT = readFileSync(join(import.meta.dirname, 'commands.script'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('the output of the commands', () => {
  const folder = new TemporaryFolder();
  let service: HttpService;
  let time: sinon.SinonFakeTimers;
  let zone: string | undefined;

  before(async () => {
    service = new HttpService({ keptIn: 'memory', encryptionKeys: [encryptionKey('2026a')] });
    // The commands go by the time of the service, which stands still.
    time = sinon.useFakeTimers({ now: service.clock.now(), toFake: ['Date'] });
    zone = process.env['TZ'];
    process.env['TZ'] = 'UTC';
    await service.start();
    const tokenOf = await prepareCalls(service);
    const report = (path: string, token: string, body: unknown) =>
      service.request('POST', `/queues/${path}`, { token, body });
    await report('taken/jobs/1/logs', tokenOf('taken'), '"a line"');
    await report('taken/jobs/1/progress', tokenOf('taken'), { done: 0.5 });
    const step = { token: tokenOf('taken'), body: { id: 'ch_1' } };
    await service.request('PUT', '/queues/taken/jobs/1/steps/charge', step);
    const failure = { reason: 'no paper', retry: true, delay: 60_000 };
    await report('failing/jobs/1/fail', tokenOf('failing'), failure);
    await report('completing/jobs/1/complete', tokenOf('completing'), { sent: true });
    await service.request('POST', '/sessions');
  });

  after(async () => {
    await service.stop();
    time.restore();
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    folder.remove();
  });

  it('is as it was recorded', async () => {
    const recording = new Recording('commands');
    const environment = {
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: TOKEN,
      XDG_CONFIG_HOME: folder.in('settings'),
      SIGN_IN_FILE: folder.in('sign-in.json'),
    };
    writeFileSync(environment.SIGN_IN_FILE, JSON.stringify(SIGN_IN));
    const named = new Set<string>();
    for (const line of SCRIPT) {
      const [typed = '', input = ''] = line.replace(/ …$/, '').split(' < ');
      writeFileSync(folder.in('input'), input);
      for (const json of line.endsWith(' …') ? [[], ['--json']] : [[]]) {
        const words = [...wordsOf(typed), ...json].map((word) =>
          word.replace('FOLDER', folder.in('.')),
        );
        const { code, output, errors } = await runWith(environment, words, input);
        const shown = `${code}\n${output}${errors && `to standard error:\n${errors}`}`;
        recording.note(
          ['jobgate', typed, ...json].join(' '),
          shown.replaceAll(folder.in('.'), 'FOLDER'),
        );
        named.add(find(words).command.name);
      }
    }
    recording.expectUnchanged();
    const expected = commands.map(({ name }) => name).filter((name) => !ENDLESS.includes(name));
    expect([...named]).to.have.members(expected);
  }).timeout(30_000);
});

/** As a shell reads them. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^'(.*)'$/, '$1'));
}
