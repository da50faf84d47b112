/** A worker for jobgate that is not called: it asks for its jobs, and counts the words of texts. */
import { Fail, Jobgate } from 'jobgate-client';

const queue = process.argv[2] ?? 'texts';
const jobgate = new Jobgate({ url: process.env['JOBGATE_URL'] ?? 'http://127.0.0.1:8080' });

const worker = jobgate.pull(
  queue,
  ({ data }) => {
    const { text } = (data ?? {}) as { readonly text?: unknown };
    // Another attempt would fail as well.
    if (typeof text !== 'string') throw new Fail('data.text must be a string');
    return { words: text.split(/\s+/).filter((word) => word !== '').length };
  },
  { concurrency: 10, lock: 60_000 },
);
console.log(`Working for the queue ${queue}`);
await worker.closed;
