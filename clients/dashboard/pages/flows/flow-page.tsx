import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../rules/counted.ts';
import type { StoredFlowJob } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { duration } from '../../format/duration.ts';
import { exactNumber } from '../../format/number.tsx';
import { now } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { ActionButton, type Action } from '../../parts/action.tsx';
import { shortId } from '../../parts/job-link.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Quiet } from '../../parts/button.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { criticalPath } from './critical-path.ts';
import { FlowDrawing } from './flow-drawing.tsx';

const EVERY = 5000;

/** How many children of a job are shown at once. */
const SHOWN = 100;

/** The most ids that a filter takes. */
const RETRIED = 1000;

/** The most jobs of a flow that is drawn. */
const DRAWN = 500;

/** Deeper jobs are folded at first. */
const OPEN_DEPTH = 3;

/** A flow as a tree, from its root. */
export function FlowPage({ queue, id }: { readonly queue: string; readonly id: string }): VNode {
  const flow = useResource<StoredFlowJob>(apiPath('flows', queue, id), EVERY);
  const { data } = flow;
  const critical = useMemo(() => data && criticalPath(data), [data]) ?? new Set();
  const isOver = data?.state === 'completed' || data?.state === 'failed';
  return (
    <Page
      title={`Flow ${id}`}
      heading={
        <>
          Flow <bdi>{data?.name}</bdi>{' '}
          <bdi class="id" title={id}>
            {shortId(id)}
          </bdi>
        </>
      }
      context={data && `${statesOf(data)}${timeOf(data, critical.size)}`}
      actions={
        data && (
          <>
            {failedParts(data, flow.reread).map((action) => (
              <ActionButton key={action.label} action={action} />
            ))}
            {!isOver && (
              <ActionButton
                action={{
                  label: 'Cancel with children',
                  right: 'operate',
                  request: {
                    method: 'POST',
                    path: apiPath('queues', queue, 'jobs', id, 'cancel'),
                    body: { children: true },
                  },
                  warning: 'The job and all its children that have not ended fail for good.',
                  done: 'The flow is cancelled',
                  after: flow.reread,
                }}
              />
            )}
          </>
        )
      }
    >
      <Read of={flow}>
        {(root) => (
          <div class="columns">
            <ul class="tree card">
              <Node node={root} depth={0} critical={critical} />
            </ul>
            {allOf(root).length <= DRAWN && <FlowDrawing root={root} critical={critical} />}
          </div>
        )}
      </Read>
    </Page>
  );
}

function Node({
  node,
  depth,
  critical,
}: {
  readonly node: StoredFlowJob;
  readonly depth: number;
  readonly critical: ReadonlySet<StoredFlowJob>;
}): VNode {
  const { queue, id, name, state, failedReason, children } = node;
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(SHOWN);
  const failedFirst = [...children].sort((one, other) => rank(one) - rank(other));
  return (
    <li>
      <p class="attempt">
        <StateLabel state={state ?? 'unknown'}>{state ?? 'removed'}</StateLabel>
        <a href={pageLink(['queues', queue, 'jobs', id])} class="text">
          {name ?? 'removed'}
        </a>
        <span class="muted">
          <bdi>{queue}</bdi> <bdi class="id">{shortId(id)}</bdi>
        </span>
        <TimeTaken of={node} />
        {critical.has(node) && (
          <span
            class="chip"
            title="Of the jobs beside it, it ends last, and the one above waits for it"
          >
            critical path
          </span>
        )}
      </p>
      {failedReason !== undefined && <p class="text state-failed">{failedReason}</p>}
      {children.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary class="muted">
            {counted(children.length, 'child', 'children', exactNumber)}: {countsOf(children)}
          </summary>
          {isOpen && (
            <ul>
              {failedFirst.slice(0, shown).map((child) => (
                <Node
                  key={`${child.queue} ${child.id}`}
                  node={child}
                  depth={depth + 1}
                  critical={critical}
                />
              ))}
              {children.length > shown && (
                <li>
                  <Quiet onClick={() => setShown(shown + SHOWN)}>
                    {exactNumber(children.length - shown)} more
                  </Quiet>
                </li>
              )}
            </ul>
          )}
        </details>
      )}
    </li>
  );
}

/**
 * How long the last attempt took, or has taken so far. A component of its own, as it changes every second for a running
 * job.
 */
function TimeTaken({ of: job }: { readonly of: StoredFlowJob }): VNode | null {
  const { state, processedOn, finishedOn } = job;
  if (processedOn === undefined || (finishedOn === undefined && state !== 'active')) return null;
  return <span class="number">{duration((finishedOn ?? now.value) - processedOn)}</span>;
}

function timeOf({ timestamp, finishedOn }: StoredFlowJob, length: number): string {
  if (timestamp === undefined || finishedOn === undefined || length === 0) return '';
  return ` · ${duration(finishedOn - timestamp)} in all, along the critical path of ${length} jobs`;
}

function rank({ state }: StoredFlowJob): number {
  if (state === 'failed') return 0;
  return state === 'completed' ? 2 : 1;
}

function countsOf(nodes: readonly StoredFlowJob[]): string {
  const counts = new Map<string, number>();
  for (const { state } of nodes) {
    const name = state ?? 'removed';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => `${exactNumber(count)} ${state}`).join(', ');
}

/** One retry for each queue with failed parts, as a request covers one queue. */
function failedParts(root: StoredFlowJob, after: () => void): readonly Action[] {
  const failed = new Map<string, string[]>();
  for (const { queue, id, state } of allOf(root)) {
    if (state === 'failed') failed.set(queue, [...(failed.get(queue) ?? []), id].slice(0, RETRIED));
  }
  return [...failed].map(([queue, ids]) => ({
    label: `Retry ${ids.length} failed in ${queue}`,
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'retry'), body: { filter: { ids } } },
    done: `${ids.length} of ${queue} wait again`,
    after,
  }));
}

function allOf(root: StoredFlowJob): readonly StoredFlowJob[] {
  const all: StoredFlowJob[] = [];
  const add = (node: StoredFlowJob): void => {
    all.push(node);
    node.children.forEach(add);
  };
  add(root);
  return all;
}

function statesOf(root: StoredFlowJob): string {
  const all = allOf(root);
  return `${counted(all.length, 'job', 'jobs', exactNumber)}: ${countsOf(all)}`;
}
