import type { Job } from 'jobgate-client';
import { asking } from '../asking.ts';
import { someGiven } from '../input/values.ts';

export const changeCommand = asking<Job>({
  usage: 'change <queue> <job>',
  summary: 'change the data, priority, delay or cost of a job that has not started',
  examples: ['change mail 17 --delay 10m', `change mail 17 --data '{"to": "ada@example.com"}'`],
  options: {
    'data <json>': 'new data; JSON, @file or -',
    'priority <n>': 'new priority; smaller numbers start first, 0 means none',
    'delay <duration>': 'new delay, counted from now',
    'cost <n>': 'what its start counts in limiters',
  },
  sends: 'PATCH /queues/<queue>/jobs/<job>',
  body: (call) => {
    const fields = {
      data: call.json('data'),
      priority: call.number('priority'),
      delay: call.duration('delay'),
      cost: call.number('cost'),
    };
    return someGiven(fields, 'change', 'change');
  },
  shows: ({ id }, call) => `Changed job ${id} of ${call.queue}`,
});
