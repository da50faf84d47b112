import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSignedCertificate } from '../support/certificate.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { requirePython } from '../support/python.ts';
import { ServiceProcess } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('The Python client', function () {
  this.timeout(180_000);
  let python: string;
  let service: ServiceProcess;
  let folder: TemporaryFolder;
  /** Authorities that a client trusts: it reads those of the machine for longer than most tests here take. */
  let authorities: string;

  before(async () => {
    python = await requirePython();
    service = await ServiceProcess.start({ STORE: 'memory' });
    folder = new TemporaryFolder();
    authorities = folder.in('authorities.pem');
    await writeFile(authorities, (await selfSignedCertificate()).cert);
  });

  after(async () => {
    await service.kill();
    folder.remove();
  });

  /** What a program of Python prints, with the client on its path. @throws Error with all of it when it fails. */
  const run = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const environment = {
        PATH: process.env['PATH'],
        PYTHONPATH: join(ROOT, 'clients/python/src'),
        PYTHONDONTWRITEBYTECODE: '1',
        JOBGATE_URL: service.url,
        JOBGATE_TOKEN: ServiceProcess.token,
        SSL_CERT_FILE: authorities,
      };
      const options = { cwd: ROOT, env: environment, timeout: 150_000 };
      execFile(python, args, options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stdout + stderr));
      });
    });

  // Python loads the packages of these tests for longer than most of them take, so that a program plays several files.
  const play = (...files: readonly string[]): Promise<string> =>
    run(
      ...['-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
      ...files.map((file) => `test/clients/python/${file}_test.py`),
    );

  it('answers and reports as the scenarios of workers say, saves steps, and signs calls for tests', async () => {
    const files = ['webhook_conformance', 'pull_conformance', 'steps', 'testing'];
    expect(await play(...files)).to.match(/\d+ passed/);
  });

  it('works for the built service by webhook, and pulls its jobs', async () => {
    expect(await play('webhook_service', 'pull_service')).to.match(/\d+ passed/);
  });

  it('blocks in the same way as it awaits', async () => {
    const output = await run('clients/python/write_blocking.py', '--check');
    expect(output).to.equal('Nothing changes\n');
  });
});
