import { expect } from 'chai';
import type { Startable } from '../../../src/application/running/startable.ts';
import { Supervisor } from '../../../src/infrastructure/lifecycle/supervisor.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describe('Supervisor', () => {
  let events: string[];

  beforeEach(() => {
    events = [];
  });

  const part = (name: string, more: Partial<Startable> = {}): Startable => {
    const note = (what: string): Promise<void> => {
      events.push(`${what} ${name}`);
      return Promise.resolve();
    };
    const start = (): Promise<void> => note('start');
    return { name, start, drain: () => note('drain'), stop: () => note('stop'), ...more };
  };

  const supervise = (parts: readonly Startable[], timeout = 60_000): Supervisor =>
    new Supervisor(parts, silentLogger, timeout);

  it('starts parts in order, drains all at once and stops them in reverse order', async () => {
    let drained = (): void => undefined;
    const slow = part('one', {
      drain: () => {
        events.push('drain one');
        return new Promise((resolve) => (drained = resolve));
      },
    });
    const supervisor = supervise([slow, part('two')]);
    expect(await supervisor.start()).to.equal(true);
    const stopped = Promise.all([supervisor.stop(), supervisor.stop()]);
    await Promise.resolve().then(() => Promise.resolve());
    expect(events).to.deep.equal(['start one', 'start two', 'drain one', 'drain two']);
    drained();
    expect(await stopped).to.deep.equal([true, true]);
    expect(events.slice(4)).to.deep.equal(['stop two', 'stop one']);
  });

  // holds: shutdown.timeout
  it('drains until its deadline at the latest', async () => {
    const endless = part('one', {
      drain: (deadline) =>
        new Promise((resolve) => {
          deadline.addEventListener('abort', () => resolve());
        }),
      stop: ({ aborted }) => Promise.reject(new Error(`aborted: ${aborted}`)),
    });
    const supervisor = supervise([endless], 20);
    await supervisor.start();
    expect(await supervisor.stop()).to.equal(false);
  });

  it('starts nothing more and stops what it has started when it is stopped during its start', async () => {
    let started = (): void => undefined;
    const slow = part('two', { start: () => new Promise((resolve) => (started = resolve)) });
    const supervisor = supervise([part('one'), slow, part('three')]);
    const start = supervisor.start();
    await Promise.resolve();
    const stopped = supervisor.stop();
    started();
    expect(await start).to.equal(false);
    expect(await stopped).to.equal(true);
    expect(events).to.have.members(['start one', 'drain one', 'drain two', 'stop two', 'stop one']);
  });

  it('tells a part that is starting that it is to stop', async () => {
    const patient = part('one', {
      start: (stopping) =>
        new Promise((resolve) => {
          stopping.addEventListener('abort', () => resolve());
        }),
    });
    const supervisor = supervise([patient, part('two')]);
    const start = supervisor.start();
    expect(await supervisor.stop()).to.equal(true);
    expect(await start).to.equal(false);
    expect(events).to.deep.equal(['drain one', 'stop one']);
  });

  it('stops what it has started when a part cannot start', async () => {
    const broken = part('two', { start: () => Promise.reject(new Error('port in use')) });
    const supervisor = supervise([part('one'), broken, part('three')]);
    expect(await rejection(supervisor.start())).to.include({ message: 'port in use' });
    expect(events).to.include('stop one').and.not.to.include('start three');
  });
});
