import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobFilterInput, RepairResult } from '../../../typescript/src/api.ts';
import { apiPath, call, messageOf, type ApiRequest } from '../../api/request.ts';
import { exactNumber } from '../../format/number.tsx';
import { dateAndTime } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { RequestShown } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Typed } from '../../parts/fields.tsx';
import type { With } from '../../parts/properties.ts';

export interface BulkAction {
  readonly label: string;
  /** The past participle of the action. */
  readonly past: string;
  readonly path: string;
  readonly queue: string;
  /** Undefined for all jobs that the action applies to. */
  readonly filter: JobFilterInput | undefined;
}

/** The label of each bulk action, and its past participle. */
const LABELS = {
  retry: ['Retry', 'retried'],
  promote: ['Promote', 'promoted'],
  cancel: ['Cancel', 'cancelled'],
  clean: ['Delete', 'deleted'],
  redrive: ['Redrive', 'brought back'],
} as const;

/** An action on the jobs of a queue that a filter finds. */
export function bulkAction(
  verb: keyof typeof LABELS,
  queue: string,
  filter: BulkAction['filter'],
): BulkAction {
  const [label, past] = LABELS[verb];
  return { label, past, path: apiPath('queues', queue, verb), queue, filter };
}

/** How many jobs one request repairs, so that progress is visible and the repair can be stopped. */
const STEP = 1000;

/** Above this number of jobs, the number has to be typed. */
const UNTYPED = 100;

/** Shows what an action would do, and runs it in steps. It is done when it is closed. */
export function BulkDialog({
  action,
  close,
  done,
}: With<'close' | 'done', { action: BulkAction }>): VNode {
  const { label, past, path, queue, filter } = action;
  const selection = filter === undefined ? { all: true } : { filter };
  const repair = (bounds: object): ApiRequest => {
    return { method: 'POST', path, body: { ...selection, ...bounds } };
  };
  const [preview, setPreview] = useState<RepairResult | undefined>();
  const [problem, setProblem] = useState('');
  const [typed, setTyped] = useState('');
  const [progress, setProgress] = useState<{ done: number; isOver: boolean } | undefined>();
  const stopped = useRef(false);
  const address = useRef(location.href);
  useEffect(() => {
    call<RepairResult>(repair({ dryRun: true })).then(setPreview, (error: unknown) =>
      setProblem(messageOf(error)),
    );
    return () => {
      stopped.current = true;
    };
  }, []);
  const matched = preview?.matched ?? 0;
  const run = async (): Promise<void> => {
    if (location.href !== address.current) {
      setProblem('The page has another filter by now. Close this and look again.');
      return;
    }
    let count = 0;
    setProgress({ done: count, isOver: false });
    try {
      // Repairs no more jobs than were previewed: others may have come to match since.
      while (count < matched && !stopped.current) {
        const limit = Math.min(STEP, matched - count);
        const step = await call<RepairResult>(repair({ limit }));
        count += step.done;
        setProgress({ done: count, isOver: false });
        if (step.done === 0 || step.remaining === 0) break;
      }
    } catch (error) {
      setProblem(messageOf(error));
    }
    setProgress({ done: count, isOver: true });
  };
  const isGentle = label !== 'Delete' && label !== 'Cancel';
  const mayRun = matched > 0 && (matched <= UNTYPED || typed === String(matched));
  return (
    <Dialog
      title={`${label} jobs of ${queue}`}
      close={() => {
        close();
        done();
      }}
      buttons={
        <>
          {progress === undefined && (
            <Button
              class={isGentle ? 'primary' : 'danger'}
              disabled={!mayRun}
              onClick={() => void run()}
            >
              {label} {preview && exactNumber(matched)}
            </Button>
          )}
          {progress?.isOver === false && (
            <Button onClick={() => (stopped.current = true)}>Stop</Button>
          )}
        </>
      }
    >
      <p class="sentence">{filter === undefined ? 'all letters' : inWords(filter)}</p>
      {filter !== undefined && (
        <p class="muted">
          The filter: <code class="text">{JSON.stringify(filter)}</code>
        </p>
      )}
      {preview === undefined && problem === '' && <p class="muted">Counting …</p>}
      {preview !== undefined && (
        <p>
          <strong>{exactNumber(matched)}</strong> {matched === 1 ? 'job matches' : 'jobs match'}
          {preview.samples !== undefined && preview.samples.length > 0 && ', among them '}
          {preview.samples?.slice(0, 3).map((id) => (
            <a
              key={id}
              class="sample id"
              href={pageLink(['queues', queue, 'jobs', id])}
              target="_blank"
              rel="noreferrer"
            >
              {id}
            </a>
          ))}
        </p>
      )}
      {matched > UNTYPED && progress === undefined && (
        <Typed
          expected={String(matched)}
          inputMode="numeric"
          value={typed}
          change={(value) => setTyped(value.trim())}
        />
      )}
      {progress && (
        <>
          <progress max={matched} value={progress.done} aria-label="Progress" />
          <p role="status">{progressText(progress, matched, past, stopped.current)}</p>
        </>
      )}
      <Problem>{problem}</Problem>
      <RequestShown request={repair({ limit: STEP })} />
    </Dialog>
  );
}

function progressText(
  { done, isOver }: { readonly done: number; readonly isOver: boolean },
  matched: number,
  past: string,
  isStopped: boolean,
): string {
  const left = matched - done;
  if (!isOver || left === 0) return `${exactNumber(done)} of ${exactNumber(matched)} ${past}`;
  const rest = isStopped ? 'left' : 'had changed state';
  return `${exactNumber(done)} ${past}, ${exactNumber(left)} ${rest}`;
}

/** The filter in words. */
function inWords(filter: JobFilterInput): string {
  const { ids, statuses, cause, name, group, reason, status, from, to } = filter;
  const parts = [
    ids && `${exactNumber(ids.length)} selected`,
    statuses?.join(' or '),
    'jobs',
    cause && `with the cause “${cause}”`,
    reason && `with “${reason}” in the reason`,
    name && `with “${name}” in the name`,
    group && `of the group ${group}`,
    status && `with the status ${status}`,
    from && `added from ${dateAndTime(from)}`,
    to && `added until ${dateAndTime(to)}`,
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}
