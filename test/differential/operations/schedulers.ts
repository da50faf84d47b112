import fc from 'fast-check';
import { newScheduler, OVERLAPS, type Repeat } from '../../../src/domain/schedulers/scheduler.ts';
import { queue, replica } from '../choices.ts';
import { operation } from '../operation.ts';
import { PERIOD } from '../time.ts';

const id = fc.constantFrom('report', 'other');

const repeat = fc.constantFrom<Repeat>(
  { every: PERIOD },
  { every: PERIOD, limit: 2 },
  { every: 10 * PERIOD },
  { pattern: '*/2 * * * *' },
  { pattern: '0 * * * *', tz: 'Europe/Berlin' },
  { pattern: '*/5 * * * *', immediately: true },
);

const options = fc.constantFrom(
  {},
  {},
  { priority: 2 },
  { attempts: 2 },
  { removeOnComplete: true },
);

const MOST = 2;

export const schedulers = {
  saveScheduler: operation(
    3,
    fc.record({
      queue,
      replica,
      id,
      repeat,
      options,
      data: fc.constantFrom(1, 2),
      overlap: fc.constantFrom(...OVERLAPS),
      paused: fc.constantFrom(false, false, false, true),
    }),
    (stage, choice) => {
      const { overlap, paused, data, options: opts } = choice;
      const job = { name: 'planned', data, opts };
      const scheduler = newScheduler(choice.id, { repeat: choice.repeat, job, overlap, paused });
      const ports = stage.replica(choice.replica);
      return ports.schedulers.save(stage.queue(choice.queue), choice.id, scheduler, MOST);
    },
  ),
  pauseScheduler: operation(1, fc.record({ queue, replica, id }), (stage, choice) =>
    stage.replica(choice.replica).schedulers.pause(stage.queue(choice.queue), choice.id),
  ),
  resumeScheduler: operation(1, fc.record({ queue, replica, id }), (stage, choice) =>
    stage.replica(choice.replica).schedulers.resume(stage.queue(choice.queue), choice.id),
  ),
  removeScheduler: operation(1, fc.record({ queue, replica, id }), (stage, choice) =>
    stage.replica(choice.replica).schedulers.remove(stage.queue(choice.queue), choice.id),
  ),
};
