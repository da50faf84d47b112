import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StoreFacts, System } from '../../../typescript/src/api.ts';
import { ROOT } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may, whoami } from '../../api/session.ts';
import { duration } from '../../format/duration.ts';
import { percentage, size } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { Card } from '../../parts/card.tsx';
import { column, durationColumn, numberColumn, timeColumn } from '../../parts/columns.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Settings } from './settings.tsx';
import { TokenList } from './token-list.tsx';

const EVERY = 5000;

/** The replicas, their store, and what should be changed. */
export function SystemPage(): VNode {
  const system = useResource<System>('system', EVERY);
  return (
    <Page
      title="System"
      context={
        system.data && (
          <>
            jobgate {system.data.version}, started <Time at={system.data.startedAt} /> ·{' '}
            <a href={new URL('docs', ROOT).href}>API</a>
          </>
        )
      }
    >
      <Read of={system}>
        {({ store, replicas, warnings }) => (
          <>
            {warnings.length === 0 ? (
              <p>
                <StateLabel state="ok">There are no warnings.</StateLabel>
              </p>
            ) : (
              <ul class="warnings" aria-label="Warnings">
                {warnings.map(({ code, text, docs }) => (
                  <li key={code} class="notice">
                    <StateLabel state="delayed">{text}</StateLabel>
                    <span class="muted">
                      See <code>docs/{docs}</code>
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <Card title="Replicas">
              <Table
                label="Replicas"
                columns={REPLICAS}
                rows={replicas}
                keyOf={({ instance }) => instance}
              />
            </Card>
            <div class="columns">
              <Store store={store} />
              <Card title="You">
                <Facts
                  facts={[
                    ['Signed in as', whoami.value?.name],
                    ['Rights', whoami.value?.rights.join(', ')],
                    ['Queues', whoami.value?.queues?.join(', ') ?? 'all'],
                    ['Expires', <Time at={whoami.value?.expires ?? null} />],
                  ]}
                />
              </Card>
            </div>
            <section class="card">
              <h2>
                Settings <span class="muted">of this browser</span>
              </h2>
              <Settings />
            </section>
            <Card title="Tokens">
              {may('tokens') ? (
                <TokenList />
              ) : (
                <p class="muted">Listing tokens needs the right tokens.</p>
              )}
            </Card>
          </>
        )}
      </Read>
    </Page>
  );
}

/** How many latencies of the store are drawn, the latest on the right. */
const LATENCIES = 60;

function Store({ store }: { readonly store: StoreFacts }): VNode {
  const { kind, path, version, evictionPolicy, latencyMs } = store;
  const [latencies, setLatencies] = useState<readonly (number | null)[]>([]);
  useEffect(() => setLatencies((before) => [...before, latencyMs].slice(-LATENCIES)), [store]);
  return (
    <Card title="Store">
      <Facts
        facts={[
          ['Kind', `${kind} ${version ?? ''}`],
          ['Folder', path !== null && <span class="text">{path}</span>],
          ['Memory', <Memory store={store} />],
          ['Eviction', evictionPolicy ?? 'none'],
          [
            'Latency',
            <>
              {duration(latencyMs)}
              {latencies.length > 1 && (
                <Sparkline values={latencies} what="Milliseconds" state="active" />
              )}
            </>,
          ],
          ...databaseFacts(store.database),
        ]}
      />
    </Card>
  );
}

/** Facts that only a database reports. */
function databaseFacts(database: StoreFacts['database']): readonly Fact[] {
  if (database === null) return [];
  const { deadRows, oldestSnapshot, connections, isNotified } = database;
  const { application, ageMs } = oldestSnapshot ?? { application: 'none', ageMs: null };
  const dead = Object.entries(deadRows).map(([table, rows]) => `${rows} in ${table}`);
  return [
    ['Dead rows', dead.join(', ')],
    [
      'Oldest snapshot',
      <>
        <span class="text">{application}</span> {ageMs !== null && `for ${duration(ageMs)}`}
      </>,
    ],
    ['Connections', `${connections.used} of ${connections.most}`],
    ['Changes', isNotified ? 'notified' : 'asked for every 100 ms'],
  ];
}

const REPLICAS: readonly Column<System['replicas'][number]>[] = [
  column('Replica', ({ instance }) => <span class="text id">{instance}</span>),
  column('State', ({ ready }) => (
    <StateLabel state={ready ? 'ready' : 'failed'}>{ready ? 'ready' : 'not ready'}</StateLabel>
  )),
  column('Version', ({ version }) => version),
  timeColumn('Started', ({ startedAt }) => startedAt),
  timeColumn('Seen', ({ seenAt }) => seenAt),
  numberColumn('Running', ({ running }) => running),
  durationColumn('Lag', ({ lagMs }) => lagMs),
  durationColumn('Clock off by', ({ clockSkewMs }) => Math.abs(clockSkewMs)),
];

function Memory({ store }: { readonly store: StoreFacts }): VNode {
  const { usedMemory, maxMemory } = store;
  return (
    <>
      {usedMemory !== null && maxMemory !== null && maxMemory > 0 && (
        <meter min={0} max={maxMemory} high={maxMemory * 0.85} value={usedMemory} />
      )}{' '}
      {memoryText(store)}
    </>
  );
}

function memoryText({ usedMemory, maxMemory }: StoreFacts): string {
  if (usedMemory === null) return 'unknown';
  if (maxMemory === null || maxMemory === 0) return `${size(usedMemory)}, no limit`;
  return `${size(usedMemory)} of ${size(maxMemory)} (${percentage(usedMemory / maxMemory)})`;
}
