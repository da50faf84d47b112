import { expect } from 'chai';
import sinon from 'sinon';
import { installRedisPackage } from '../../support/redis/debian-package.ts';
import type { RunCommand } from '../../support/redis/run-command.ts';

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n';
const MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n';

/** Commands that all succeed, except those that begin like one of the given. */
function commands(...failing: string[]) {
  const lines: string[] = [];
  const run: RunCommand = (command, args) => {
    const line = [command, ...args].join(' ');
    lines.push(line);
    const failed = failing.some((start) => line.startsWith(start));
    return Promise.resolve({
      succeeded: !failed,
      output: failed ? 'Reading\nE: no network\n' : '',
    });
  };
  return { run, lines };
}

describe('installRedisPackage', () => {
  it('installs as root on Debian, says so in one line, and leaves no service behind', async () => {
    const { run, lines } = commands();
    const say = sinon.spy();
    const osRelease = () => Promise.resolve(DEBIAN);
    expect(await installRedisPackage({ osRelease, isRoot: true, run, say })).to.equal(true);
    expect(lines[0]).to.equal('apt-get update');
    expect(lines[1]).to.match(
      /^env DEBIAN_FRONTEND=noninteractive apt-get install -y .*redis-server$/,
    );
    expect(lines.slice(2)).to.deep.equal([
      'service redis-server stop',
      'update-rc.d redis-server disable',
    ]);
    expect(say.callCount).to.equal(1);
    expect(say.firstCall.args[0]).to.include('apt-get install').and.not.include('\n');
  });

  it('goes through a sudo that asks for no password, on kin of Debian too', async () => {
    const { run, lines } = commands();
    const osRelease = () => Promise.resolve(MINT);
    const installed = await installRedisPackage({
      osRelease,
      isRoot: false,
      run,
      say: sinon.spy(),
    });
    expect(installed).to.equal(true);
    expect(lines[0]).to.equal('sudo -n true');
    expect(lines.slice(1).every((line) => line.startsWith('sudo -n '))).to.equal(true);
    expect(lines[1]).to.equal('sudo -n apt-get update');
  });

  it('installs nothing without the right to', async () => {
    const { run, lines } = commands('sudo');
    const osRelease = () => Promise.resolve(DEBIAN);
    const installed = await installRedisPackage({
      osRelease,
      isRoot: false,
      run,
      say: sinon.spy(),
    });
    expect(installed).to.equal(false);
    expect(lines).to.deep.equal(['sudo -n true']);
  });

  for (const text of ['ID=alpine\n', 'ID=fedora\nNAME="not debian"\n', '']) {
    it(`runs nothing where /etc/os-release is ${JSON.stringify(text)}`, async () => {
      const { run, lines } = commands();
      const osRelease = () => Promise.resolve(text);
      const installed = await installRedisPackage({
        osRelease,
        isRoot: true,
        run,
        say: sinon.spy(),
      });
      expect(installed).to.equal(false);
      expect(lines).to.deep.equal([]);
    });
  }

  it('says why when apt-get fails, and leaves the service alone', async () => {
    const { run, lines } = commands('env DEBIAN_FRONTEND=noninteractive apt-get install');
    const say = sinon.spy();
    const osRelease = () => Promise.resolve(DEBIAN);
    expect(await installRedisPackage({ osRelease, isRoot: true, run, say })).to.equal(false);
    expect(say.lastCall.args[0]).to.include('E: no network').and.not.include('\n');
    expect(lines).to.have.length(2);
  });
});
