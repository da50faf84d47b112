/** Adds some jobs and works on them, two at a time, for the page to show. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fail, Jobgate } from 'jobgate-client';

const queue = process.argv[2] ?? 'clips';
const secondsPerJob = Number(process.argv[3] ?? '8');
const jobgate = new Jobgate({ url: process.env['JOBGATE_URL'] ?? 'http://127.0.0.1:8080' });

const clips = [
  { name: 'Sunrise over the harbour.mp4' },
  { name: 'Interview with the crew.mov' },
  { name: 'Drone flight, take 3.mp4', broken: true },
  { name: 'Closing titles.mov' },
  { name: 'Behind the scenes.mp4' },
  { name: 'Trailer, 30 seconds.mp4' },
];

const jobs = await jobgate
  .queue(queue)
  .addAll(clips.map(({ name, broken = false }) => ({ name, data: { broken } })));
const worker = jobgate.pull(
  queue,
  async ({ id, data }, context) => {
    const { broken } = data as { readonly broken: boolean };
    for (let percent = 0; percent < 100; percent += 2) {
      await context.progress(percent);
      if (broken && percent === 40) throw new Fail('The clip ends in the middle of a frame');
      // Some are longer than others.
      await sleep((secondsPerJob / 50) * 1000 * (1 + (Number(id) % 3) / 4));
    }
  },
  { concurrency: 2 },
);
await Promise.all(jobs.map(({ id }) => jobgate.queue(queue).result(id)));
await worker.close();
