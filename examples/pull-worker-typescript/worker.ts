/** A worker for jobgate that is not called: it asks for its jobs, and counts the words of texts. */

interface Claimed {
  readonly job: { readonly id: string; readonly data: unknown };
  readonly token: string;
}

const queue = process.argv[2] ?? 'texts';
const { JOBGATE_URL = 'http://127.0.0.1:8080', JOBGATE_TOKEN = '' } = process.env;
const jobsUrl = `${JOBGATE_URL.replace(/\/+$/, '')}/queues/${encodeURIComponent(queue)}/jobs`;

/** A claim that waits is left on SIGTERM, and takes no job with it; the jobs at hand are finished. */
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
const isEnding = (): boolean => ending.signal.aborted;

async function post(path: string, token: string, body: unknown, signal?: AbortSignal) {
  const answer = await fetch(`${jobsUrl}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  // A 401 for a job means that its lock ran out: someone else has it by now.
  if (!answer.ok) throw new Error(`jobgate refused ${path}: ${answer.status} ${text}`);
  return text;
}

async function claim(): Promise<readonly Claimed[]> {
  const text = await post(
    'claim',
    JOBGATE_TOKEN,
    { count: 10, wait: 30_000, lock: 60_000 },
    ending.signal,
  );
  return JSON.parse(text) as readonly Claimed[];
}

async function work({ job, token }: Claimed): Promise<void> {
  const path = encodeURIComponent(job.id);
  const { text } = (job.data ?? {}) as { readonly text?: unknown };
  if (typeof text !== 'string') {
    // Another attempt would fail as well.
    const reason = 'data.text must be a string';
    await post(`${path}/fail`, token, { reason, retry: false });
    return;
  }
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  await post(`${path}/complete`, token, { words });
}

console.log(`Working for the queue ${queue}`);
while (!isEnding()) {
  try {
    for (const claimed of await claim()) await work(claimed);
  } catch (error) {
    if (isEnding()) break;
    console.error(error instanceof Error ? error.message : error);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
