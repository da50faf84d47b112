import type { Published, Subscription, Topics, TopicState } from 'jobgate-client';
import { asking, removing } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { jsonOf } from '../input/values.ts';
import { inOneLine } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { bodyOf } from './policy.ts';

const topicColumns: readonly Column<Topics['topics'][number]>[] = [
  { head: 'TOPIC', cell: ({ topic }) => topic },
  { head: 'SUBSCRIPTIONS', cell: ({ subscriptions }) => subscriptions },
];

const columns: readonly Column<Subscription>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'QUEUE', cell: ({ queue }) => queue },
  { head: 'FILTER', cell: ({ filter }) => inOneLine(filter) || 'all', isCut: true },
  { head: 'OPTIONS', cell: ({ opts }) => inOneLine(opts), isOptional: true, isCut: true },
  { head: 'FULL', cell: ({ onFull }) => onFull },
  { head: 'PAUSED', cell: ({ paused }) => (paused ? 'yes' : ''), isOptional: true },
];

type Went = readonly [subscription: string, to: Published['matched'][string]];

const wentColumns: readonly Column<Went>[] = [
  { head: 'SUBSCRIPTION', cell: ([subscription]) => subscription },
  { head: 'QUEUE', cell: ([, { queue }]) => queue },
  { head: 'JOB', cell: ([, { id = '' }]) => id },
];

function wentTo({ matched, skipped }: Published): readonly Went[] {
  const nowhere = skipped.map((subscription): Went => [subscription, { queue: 'skipped' }]);
  return [...Object.entries(matched), ...nowhere];
}

/** Topics, and what is published to them. */
export const topicCommands: readonly Declaration[] = [
  asking<Topics>({
    usage: 'topics list',
    summary: 'list the topics, whose messages become jobs of several queues',
    sends: 'GET /topics',
    shows: ({ topics }, call) => call.table(topicColumns, topics, 'There are no topics'),
  }),
  asking<TopicState>({
    usage: 'topics show <topic>',
    summary: 'list the subscriptions of a topic',
    sends: 'GET /topics/<topic>',
    shows: ({ subscriptions }, call) => call.table(columns, subscriptions, 'No subscriptions'),
  }),
  asking<Subscription>({
    usage: 'topics subscribe <topic> <id>',
    summary: 'store a subscription in place of any other of its id',
    examples: [
      `topics subscribe orders billing --body '{"queue": "billing", "filter": {"name": ["paid"]}}'`,
      'topics subscribe orders audit --body @subscription.json',
    ],
    options: { 'body <json>': 'subscription as in the API; JSON, @file or - (-)' },
    sends: 'PUT /topics/<topic>/subscriptions/<id>',
    body: (call) => bodyOf(call, '@subscription.json'),
    shows: ({ id }) => `Stored the subscription ${id}`,
  }),
  removing({
    usage: 'topics unsubscribe <topic> <id>',
    summary: 'remove a subscription; its jobs stay',
    sends: 'DELETE /topics/<topic>/subscriptions/<id>',
    question: (call) => `Remove the subscription ${call.name(1)} of ${call.name(0)}?`,
    shows: ({ removed }) => `Removed the subscription ${removed}`,
  }),
  {
    usage: 'publish <topic> <name> <data>',
    summary: 'publish a message, which becomes a job of each subscription that it matches',
    details: 'The data is JSON, @file to read it from a file, or - to read it from standard input.',
    examples: [
      `publish orders paid '{"country": "de"}'`,
      'publish orders paid @order.json --dry-run',
    ],
    options: {
      'opts <json>': 'job options, spelled as in the API',
      'dry-run': 'only show which subscriptions match; nothing is added',
      'key <text>': 'idempotency key; repeating it publishes nothing again',
    },
    run: async (call) => {
      const data = jsonOf('The data', call.name(2));
      const dryRun = call.has('dry-run');
      if (dryRun && call.has('key'))
        throw new UsageError('--dry-run adds nothing: leave out --key');
      const answer = await call.jobgate
        .topic(call.name(0))
        .publish(call.name(1), data, call.object('opts'), {
          ...(dryRun && { dryRun }),
          idempotencyKey: call.text('key'),
        });
      call.answer(answer, (published) =>
        call.table(wentColumns, wentTo(published), 'No subscription matches'),
      );
    },
  },
];
