import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SIGN_IN_FILE } from '../../../src/infrastructure/config/sign-in-file.ts';
import { WatchedFile } from '../../../src/infrastructure/watched-file.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

const settings = (name: string): string => {
  const rules = [{ claims: { groups: 'ops' }, name, rights: ['admin'] }];
  return JSON.stringify({ issuer: 'https://id.example', clientId: 'jobgate', rules });
};

describe('a file of the configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jobgate-file-'));
  const path = join(folder, 'sign-in.json');
  after(() => rmSync(folder, { recursive: true }));

  const watched = (logger: RecordingLogger) => new WatchedFile({ ...SIGN_IN_FILE, path, logger });

  // holds: sign-in.rules
  it('is read again when it changes; a mistake changes nothing, and is logged once', async () => {
    writeFileSync(path, settings('first'));
    const logger = new RecordingLogger();
    const file = watched(logger);
    const name = (): string | undefined => file.value.rules[0]?.name;
    const { value } = file;
    await file.round();
    expect(file.value).to.equal(value);
    writeFileSync(path, settings('second'));
    await file.round();
    expect(name()).to.equal('second');
    for (const spoil of [() => writeFileSync(path, '{"issuer":7}'), () => unlinkSync(path)]) {
      spoil();
      await file.round();
      await file.round();
      expect(name()).to.equal('second');
    }
    writeFileSync(path, settings('third'));
    await file.round();
    expect(name()).to.equal('third');
    const line = 'The file of the sign-in could not be read: its settings stay as they were';
    expect(logger.lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ['info', 'The file of the sign-in was read'],
      ['error', line],
      ['error', line],
      ['info', 'The file of the sign-in was read'],
    ]);
  });

  // holds: sign-in.file
  it('prevents the start when it cannot be read', () => {
    rmSync(path, { force: true });
    expect(() => watched(new RecordingLogger())).to.throw(
      'SIGN_IN_FILE: the file cannot be read (ENOENT)',
    );
  });
});
