import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readFileSync, readdirSync } from 'node:fs';

const ROOT = join(import.meta.dirname, '../..');

const FAILING = `
import { storeUnavailable } from ${JSON.stringify(join(ROOT, 'src/domain/errors.ts'))};

describe('tests', () => {
  it('that fail', () => {
    throw storeUnavailable(new Error('OOM in a test'));
  });
  describe('with a hook', () => {
    before(() => {
      throw storeUnavailable(new Error('OOM in a hook'));
    });
    it('that fails', () => undefined);
  });
});
`;

describe('a run of tests', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-run-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const mode of ['parallel', 'no-parallel']) {
    it(`prints the causes of failures with --${mode}`, async () => {
      const file = join(folder, 'failing.test.ts');
      await writeFile(file, FAILING);
      const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
      const options = ['--no-config', '--import=tsx', `--${mode}`, '--require'];
      const parameters = [...options, 'test/support/error-causes.ts', file];
      const output = await new Promise<string>((resolve) => {
        execFile(process.execPath, [mocha, ...parameters], { cwd: ROOT }, (_, out) => resolve(out));
      });
      expect(output).to.include('2 failing');
      expect(output).to.include('Caused by: Error: OOM in a test');
      expect(output).to.include('Caused by: Error: OOM in a hook');
    }).timeout(60_000);
  }

  it('prints the causes of failures in every configuration', () => {
    const files = readdirSync(ROOT).filter((name) => name.startsWith('.mocharc'));
    expect(files).to.have.length.above(3);
    for (const file of files) {
      const { require } = parse(readFileSync(join(ROOT, file), 'utf8')) as { require?: string[] };
      expect(require, file).to.include('test/support/error-causes.ts');
    }
  });
});
