/** Adds some jobs and works on them, two at a time, for the page to show. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Claimed {
  readonly job: { readonly id: string; readonly data: { readonly broken?: boolean } };
  readonly token: string;
}

const queue = process.argv[2] ?? 'clips';
const secondsPerJob = Number(process.argv[3] ?? '8');
const { JOBGATE_URL = 'http://127.0.0.1:8080', JOBGATE_TOKEN = '' } = process.env;
const jobsUrl = `${JOBGATE_URL.replace(/\/+$/, '')}/queues/${encodeURIComponent(queue)}/jobs`;

const clips = [
  { name: 'Sunrise over the harbour.mp4' },
  { name: 'Interview with the crew.mov' },
  { name: 'Drone flight, take 3.mp4', broken: true },
  { name: 'Closing titles.mov' },
  { name: 'Behind the scenes.mp4' },
  { name: 'Trailer, 30 seconds.mp4' },
];

async function post(path: string, token: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${jobsUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`jobgate refused ${path}: ${answer.status} ${text}`);
  return text === 'OK' ? undefined : JSON.parse(text);
}

async function work({ job: { id, data }, token }: Claimed): Promise<void> {
  for (let percent = 0; percent < 100; percent += 2) {
    await post(`/${id}/progress`, token, percent);
    if (data.broken === true && percent === 40) {
      await post(`/${id}/fail`, token, { reason: 'The clip ends in the middle of a frame' });
      return;
    }
    // Some are longer than others.
    await sleep((secondsPerJob / 50) * 1000 * (1 + (Number(id) % 3) / 4));
  }
  await post(`/${id}/complete`, token, null);
}

async function workUntilNoneIsLeft(): Promise<void> {
  for (;;) {
    const [claimed] = (await post('/claim', JOBGATE_TOKEN, {})) as readonly Claimed[];
    if (claimed === undefined) return;
    await work(claimed);
  }
}

const jobs = clips.map(({ name, broken = false }) => ({ name, data: { broken } }));
await post('', JOBGATE_TOKEN, jobs);
await Promise.all([workUntilNoneIsLeft(), workUntilNoneIsLeft()]);
