import { exec } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { cleanClone } from '../support/clean-clone.ts';
import { ServiceProcess } from '../support/service-process.ts';

const execute = promisify(exec);

describe('The TypeScript package', function () {
  this.timeout(120_000);
  let folder: string;
  let project: string;
  let readme: string;

  /** Runs the commands of one line of the README. */
  const run = async (line: string, cwd: string): Promise<string> => {
    const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
    const { stdout } = await execute(line, { cwd, env: { ...process.env, ...npm } });
    return stdout;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-typescript-'));
    const client = join(folder, 'jobgate/clients/typescript');
    project = join(folder, 'my-project');
    cleanClone(join(folder, 'jobgate'), ['clients/typescript/', 'tsconfig.json']);
    // What the service needs is installed in the root of a clone.
    await mkdir(join(folder, 'jobgate/node_modules/installed'), { recursive: true });
    await mkdir(project);
    readme = await readFile(join(client, 'README.md'), 'utf8');
    const [, commands = ''] = /```sh\n(.+?)```/s.exec(readme)!;
    const [build = '', install = ''] = commands.split('\n').filter((line) => line.includes('npm'));
    await run(build, client);
    await run(install, project);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('is built in a clone without touching what is installed in its root', async () => {
    expect(await readdir(join(folder, 'jobgate/node_modules'))).to.deep.equal(['installed']);
  });

  it('is installed as it says, with what its entries need and nothing else', async () => {
    const installed = await readdir(join(project, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).to.deep.equal(['jobgate-client']);
    const contents = await readdir(join(project, 'node_modules/jobgate-client'));
    expect(contents).to.have.members(['LICENSE', 'README.md', 'dist', 'package.json']);
    // On the page of a package no relative link leads anywhere.
    expect(readme).not.to.match(/\]\((?!https?:|#)/);
  });

  it('does what its README says of flows, schedulers, groups, batches and hooks', async () => {
    const [, section = ''] = /## Flows, schedulers[^\n]*\n(.+?)## Methods/s.exec(readme)!;
    const blocks = [...section.matchAll(/```ts\n(.+?)```/gs)].map(([, block = '']) => block);
    expect(blocks).to.have.length(5);
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const program = [
        "import { createWorker, fail, Jobgate, ok } from 'jobgate-client';",
        `const jobgate = new Jobgate({ url: '${service.url}', token: '${ServiceProcess.token}' });`,
        ...blocks,
      ].join('\n');
      await writeFile(join(project, 'more.mjs'), program);
      expect(await run('node more.mjs', project)).to.match(/^\S+ 2\n\d+\n1 \d+\ntrue\n$/);
    } finally {
      await service.kill();
    }
  });

  it('does what its README says of steps', async () => {
    const [, block = ''] = /## Jobs of several steps.+?```ts\n(.+?)```/s.exec(readme)!;
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const program = `
        import { Fail, Jobgate } from 'jobgate-client';
        const jobgate = new Jobgate({ url: '${service.url}', token: '${ServiceProcess.token}' });
        ${block}
        const job = jobgate.queue('orders').job('order-17');
        await jobgate.queue('orders').add('order', { card: 4 }, { jobId: 'order-17' });
        while ((await job.get()).suspended?.steps[0] !== 'rest');
        await job.promote();
        console.log((await job.result()).returnvalue[0].returnvalue);
        await worker.close();`;
      await writeFile(join(project, 'steps.mjs'), program);
      expect(await run('node steps.mjs', project)).to.equal('Label of ch_4\n');
    } finally {
      await service.kill();
    }
  });

  it('does what the first program of its README says', async () => {
    const [, said] = /prints `(.+)`:/.exec(readme)!;
    const [, program = ''] = /```ts\n(.+?)```/s.exec(readme)!;
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const address = "{ url: 'http://localhost:8080', token: 'secret' }";
      expect(program).to.include(address);
      const here = `{ url: '${service.url}', token: '${ServiceProcess.token}' }`;
      await writeFile(join(project, 'first.mjs'), program.replace(address, here));
      expect(await run('node first.mjs', project)).to.equal(`${said}\n`);
    } finally {
      await service.kill();
    }
  });
});
