import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { findRedisBinary, NO_BINARY, requireBinary } from '../../support/redis/redis-binary.ts';
import { rejection } from '../../support/rejection.ts';

describe('findRedisBinary', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-path-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const program = async (path: string, mode = 0o755) => {
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, mode);
    return path;
  };

  it('finds a program on the PATH, redis-server before valkey-server', async () => {
    const [first, second] = [join(folder, 'a'), join(folder, 'b')];
    await mkdir(first);
    await mkdir(second);
    const PATH = ['', join(folder, 'missing'), first, second].join(delimiter);
    const valkey = await program(join(first, 'valkey-server'));
    expect(await findRedisBinary({ PATH })).to.equal(valkey);
    const redis = await program(join(second, 'redis-server'));
    expect(await findRedisBinary({ PATH })).to.equal(redis);
  });

  it('passes over what cannot be run', async () => {
    await program(join(folder, 'redis-server'), 0o644);
    await mkdir(join(folder, 'valkey-server'));
    expect(await findRedisBinary({ PATH: folder })).to.equal(undefined);
    expect(await findRedisBinary({})).to.equal(undefined);
  });
});

describe('requireBinary', () => {
  it('installs nothing when there is a program', async () => {
    const install = sinon.stub();
    expect(await requireBinary({ find: () => Promise.resolve('/bin/r'), install })).to.equal(
      '/bin/r',
    );
    expect(install.called).to.equal(false);
  });

  it('finds the program that it installed', async () => {
    const find = sinon.stub().resolves('/usr/bin/redis-server').onFirstCall().resolves(undefined);
    const install = sinon.stub().resolves(true);
    expect(await requireBinary({ find, install })).to.equal('/usr/bin/redis-server');
    expect(install.calledOnce).to.equal(true);
  });

  it('fails with one line when it can neither find nor install one', async () => {
    const find = sinon.stub().resolves(undefined);
    const error = await rejection(requireBinary({ find, install: () => Promise.resolve(false) }));
    expect(error.message).to.equal(NO_BINARY);
  });
});
