import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServiceProcess } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** A test run that counts coverage has nothing kept. */
const IS_KEPT =
  (major > 22 || (major === 22 && minor >= 8)) && process.env['NODE_V8_COVERAGE'] === undefined;

describe('the code that Node.js compiles', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-compiled-'));
    for (const name of ['dist', 'package.json']) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    }
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function startAndStop(): Promise<void> {
    const service = await ServiceProcess.start({ STORE: 'memory' }, { folder });
    expect((await service.stop()).code).to.equal(0);
    expect(service.errors).to.equal('');
  }

  const kept = (): Promise<string[]> =>
    readdir(join(folder, '.compile-cache'), { recursive: true }).catch(() => []);

  it('is kept beside the service, for its next start, where Node.js can', async () => {
    await startAndStop();
    const found = await kept();
    expect(found.length > 1).to.equal(IS_KEPT);
    await startAndStop();
    expect(await kept()).to.have.members(found);
  });

  it('is not kept where nothing can be written, and the service starts all the same', async () => {
    await writeFile(join(folder, '.compile-cache'), '');
    await startAndStop();
    expect(await kept()).to.deep.equal([]);
  });
});
