import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PROGRAM } from '../support/command-line.ts';
import { text } from '../support/deployment-files.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { answer } from '../support/endpoint-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const ROOT = join(import.meta.dirname, '../..');

const execute = promisify(execFile);

describe('SKILL.md', () => {
  const skill = text('SKILL.md');
  const services = new StartedServices();
  let service: ServiceProcess;
  let folder: TemporaryFolder;
  const context = new ServiceContext(() => service);

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    folder = new TemporaryFolder();
    mkdirSync(folder.in('bin'));
    const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    writeFileSync(folder.in('bin/jobgate'), program, { mode: 0o755 });
  });
  afterEach(() => context.cleanUp());
  after(async () => {
    await services.kill();
    folder.remove();
  });

  const blocks = (language: string): readonly string[] =>
    [...skill.matchAll(new RegExp(`^\`\`\`${language}\n([^]+?)^\`\`\`$`, 'gm'))].map(
      ([, block = '']) => block,
    );

  /** Runs a program that has the service in its environment, and the command on its PATH. */
  async function run(command: string, args: readonly string[]): Promise<string> {
    const env = {
      PATH: [folder.in('bin'), process.env['PATH']].join(delimiter),
      XDG_CONFIG_HOME: folder.path,
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
    };
    const { stdout } = await execute(command, args, { cwd: ROOT, env, timeout: 60_000 });
    return stdout;
  }

  it('is short, and says what it is for', () => {
    expect(skill.split('\n')).to.have.length.at.most(151);
    expect(skill).to.match(/^---\nname: jobgate\ndescription: .{100,500}\n---\n/);
  });

  it('has commands that a service takes, all of them', async () => {
    const endpoint = await context.newEndpoint(answer(200, 'sent'));
    const commands = blocks('sh').join('\n').replace('http://localhost:3000/', endpoint.url);
    expect(commands.match(/^(jobgate|curl) /gm)).to.have.length.above(12);
    const output = await run('bash', ['--norc', '-euo', 'pipefail', '-c', commands]);
    expect(output).to.match(/^outcome +completed$/m);
  }).timeout(60_000);

  it('has a worker that does its job', async () => {
    const [program = ''] = blocks('js');
    const output = await run(process.execPath, ['--input-type=module', '-e', program]);
    expect(output).to.equal("{ state: 'completed', returnvalue: 4 }\n");
  }).timeout(60_000);

  it('names pages that there are', () => {
    const pages = [...skill.matchAll(/`([\w-]+\.md)`/g)].map(([, page = '']) => page);
    expect(pages).to.have.length.above(10);
    for (const page of pages) expect(() => text(`docs/${page}`), page).not.to.throw();
  });
});
