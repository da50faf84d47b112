import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DatabaseFacts as Facts, System } from '../../../typescript/src/api.ts';
import { ROOT } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may, whoami } from '../../api/session.ts';
import { duration } from '../../format/duration.ts';
import { percentage, size } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
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
            <section class="card">
              <h2>Replicas</h2>
              <Table
                label="Replicas"
                columns={REPLICAS}
                rows={replicas}
                keyOf={({ instance }) => instance}
              />
            </section>
            <div class="columns">
              <Store store={store} />
              <section class="card">
                <h2>You</h2>
                <dl class="facts">
                  <Fact name="Signed in as">{whoami.value?.name}</Fact>
                  <Fact name="Rights">{whoami.value?.rights.join(', ')}</Fact>
                  <Fact name="Queues">{whoami.value?.queues?.join(', ') ?? 'all'}</Fact>
                  <Fact name="Expires">
                    <Time at={whoami.value?.expires ?? null} />
                  </Fact>
                </dl>
              </section>
            </div>
            <section class="card">
              <h2>
                Settings <span class="muted">of this browser</span>
              </h2>
              <Settings />
            </section>
            <section class="card">
              <h2>Tokens</h2>
              {may('tokens') ? (
                <TokenList />
              ) : (
                <p class="muted">Listing tokens needs the right tokens.</p>
              )}
            </section>
          </>
        )}
      </Read>
    </Page>
  );
}

/** How many latencies of the store are drawn, the latest on the right. */
const LATENCIES = 60;

function Store({ store }: { readonly store: System['store'] }): VNode {
  const { kind, path, version, usedMemory, maxMemory, evictionPolicy, latencyMs } = store;
  const [latencies, setLatencies] = useState<readonly (number | null)[]>([]);
  useEffect(() => {
    setLatencies((before) => [...before, latencyMs].slice(-LATENCIES));
  }, [store]);
  return (
    <section class="card">
      <h2>Store</h2>
      <dl class="facts">
        <Fact name="Kind">
          {kind} {version}
        </Fact>
        {path !== null && (
          <Fact name="Folder">
            <span class="text">{path}</span>
          </Fact>
        )}
        <Fact name="Memory">
          {usedMemory !== null && maxMemory !== null && maxMemory > 0 && (
            <meter min={0} max={maxMemory} high={maxMemory * 0.85} value={usedMemory} />
          )}{' '}
          {memoryText(store)}
        </Fact>
        <Fact name="Eviction">{evictionPolicy ?? 'none'}</Fact>
        <Fact name="Latency">
          {duration(latencyMs)}
          {latencies.length > 1 && (
            <Sparkline values={latencies} what="Milliseconds" state="active" />
          )}
        </Fact>
        {store.database !== null && <DatabaseFacts database={store.database} />}
      </dl>
    </section>
  );
}

function DatabaseFacts({ database }: { readonly database: Facts }): VNode {
  const { deadRows, oldestSnapshot, connections, isNotified } = database;
  const { application, ageMs } = oldestSnapshot ?? { application: 'none', ageMs: null };
  return (
    <>
      <Fact name="Dead rows">
        {Object.entries(deadRows)
          .map(([table, rows]) => `${rows} in ${table}`)
          .join(', ')}
      </Fact>
      <Fact name="Oldest snapshot">
        <span class="text">{application}</span> {ageMs !== null && `for ${duration(ageMs)}`}
      </Fact>
      <Fact name="Connections">
        {connections.used} of {connections.most}
      </Fact>
      <Fact name="Changes">{isNotified ? 'notified' : 'asked for every 100 ms'}</Fact>
    </>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const REPLICAS: readonly Column<System['replicas'][number]>[] = [
  { label: 'Replica', cell: ({ instance }) => <span class="text id">{instance}</span> },
  {
    label: 'State',
    cell: ({ ready }) => (
      <StateLabel state={ready ? 'ready' : 'failed'}>{ready ? 'ready' : 'not ready'}</StateLabel>
    ),
  },
  { label: 'Version', cell: ({ version }) => version },
  { label: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { label: 'Seen', cell: ({ seenAt }) => <Time at={seenAt} /> },
  {
    label: 'Running',
    isNumber: true,
    cell: ({ running }) => <span class="number">{running}</span>,
  },
  {
    label: 'Lag',
    isNumber: true,
    cell: ({ lagMs }) => <span class="number">{duration(lagMs)}</span>,
  },
  {
    label: 'Clock off by',
    isNumber: true,
    cell: ({ clockSkewMs }) => <span class="number">{duration(Math.abs(clockSkewMs))}</span>,
  },
];

function memoryText({ usedMemory, maxMemory }: System['store']): string {
  if (usedMemory === null) return 'unknown';
  if (maxMemory === null || maxMemory === 0) return `${size(usedMemory)}, no limit`;
  return `${size(usedMemory)} of ${size(maxMemory)} (${percentage(usedMemory / maxMemory)})`;
}
