import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { requirePython } from '../support/python.ts';
import { ServiceProcess } from '../support/service-process.ts';

const CLIENT = join(import.meta.dirname, '../../clients/python');

const execute = promisify(execFile);

describe('The Python package', function () {
  this.timeout(60_000);
  let python: string;
  let folder: string;

  before(async () => {
    python = await requirePython();
    folder = await mkdtemp(join(tmpdir(), 'jobgate-python-'));
    const build = ['-m', 'hatchling', 'build', '-d', join(folder, 'built')];
    await execute(python, build, { cwd: CLIENT });
    const built = await readdir(join(folder, 'built'));
    const source = built.find((name) => name.endsWith('.tar.gz'))!;
    const wheel = built.find((name) => name.endsWith('.whl'))!;
    await execute('tar', ['-xzf', join(folder, 'built', source), '-C', folder]);
    // What installing a package of pure Python does.
    const wheelFile = join(folder, 'built', wheel);
    await execute(python, ['-m', 'zipfile', '-e', wheelFile, join(folder, 'installed')]);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  /** What a program prints that finds the package as it is installed, and nothing of the sources. */
  async function run(program: string): Promise<string> {
    const { stdout } = await execute(python, ['-c', program], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PYTHONPATH: join(folder, 'installed') },
      timeout: 30_000,
    });
    return stdout;
  }

  it('has the sources as they are, the mark of types, the license and the README', async () => {
    const sources = await readdir(join(CLIENT, 'src/jobgate'), { recursive: true });
    const installed = await readdir(join(folder, 'installed/jobgate'), { recursive: true });
    const modules = sources.filter((path) => /\.(py|typed)$/.test(path));
    expect(installed.filter((path) => /\.\w+$/.test(path))).to.have.members(modules);
    expect(modules).to.include('py.typed');
    const described = `
import importlib.metadata, json
package = importlib.metadata.distribution("jobgate")
print(json.dumps({**package.metadata.json, "files": [str(path) for path in package.files]}))`;
    const { files, description, ...metadata } = JSON.parse(await run(described)) as {
      readonly files: readonly string[];
      readonly description: string;
    };
    const [, version] = /^version = "(.+)"$/m.exec(
      await readFile(join(CLIENT, 'pyproject.toml'), 'utf8'),
    )!;
    expect(metadata).to.include({ name: 'jobgate', version, requires_python: '>=3.10' });
    expect(metadata).to.deep.include({ requires_dist: ['httpx>=0.23'] });
    expect(files.some((path) => path.endsWith('LICENSE'))).to.equal(true);
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
    expect(description.trim()).to.equal(readme.trim());
    // On the page of a package no relative link leads anywhere.
    expect(readme).not.to.match(/\]\((?!https?:|#)/);
  });

  it('is built from its source package, too', async () => {
    const [source] = (await readdir(folder)).filter((name) => name.startsWith('jobgate-'));
    const again = ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', join(folder, 'again')];
    await execute(python, again, { cwd: join(folder, source!) });
    const [wheel = ''] = await readdir(join(folder, 'again'));
    const bytes = async (path: string): Promise<Buffer> => readFile(join(folder, path, wheel));
    expect((await bytes('again')).equals(await bytes('built'))).to.equal(true);
  });

  it('does what its README says of flows, schedulers, groups, batches and hooks', async () => {
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const [, section = ''] = /## Flows, schedulers[^\n]*\n(.+?)## Methods/s.exec(readme)!;
    const blocks = [...section.matchAll(/```python\n(.+?)```/gs)].map(([, block = '']) => block);
    expect(blocks).to.have.length(5);
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const program = [
        'from jobgate import Jobgate',
        `jobgate = Jobgate("${service.url}", "${ServiceProcess.token}")`,
        ...blocks,
      ].join('\n');
      expect(await run(program)).to.match(/^\S+ 2\n\d+\n1 \d+\nTrue\n$/);
    } finally {
      await service.kill();
    }
  });

  it('does what its README says of steps', async () => {
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const [, block = ''] = /## Jobs of several steps.+?```python\n(.+?)```/s.exec(readme)!;
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const program = `
from jobgate import Fail, Jobgate
jobgate = Jobgate("${service.url}", "${ServiceProcess.token}")
${block}
job = jobgate.queue("orders").job("order-17")
jobgate.queue("orders").add("order", {"card": 4}, {"jobId": "order-17"})
while (job.get()["suspended"] or {"steps": [""]})["steps"][0] != "rest":
    pass
job.promote()
print(job.result()["returnvalue"][0]["returnvalue"])
worker.close()`;
      expect(await run(program)).to.equal('Label of ch_4\n');
    } finally {
      await service.kill();
    }
  });

  it('does what the first program of its README says', async () => {
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const [, said] = /prints `(.+)`:/.exec(readme)!;
    const [, program] = /```python\n(.+?)```/s.exec(readme)!;
    const service = await ServiceProcess.start({ STORE: 'memory' });
    try {
      const address = '"http://localhost:8080", "secret"';
      expect(program).to.include(address);
      const here = `"${service.url}", "${ServiceProcess.token}"`;
      expect(await run(program!.replace(address, here))).to.equal(`${said}\n`);
    } finally {
      await service.kill();
    }
  });
});
