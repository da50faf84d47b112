import type { VNode } from 'preact';
import type { JobSummary } from '../../api/answers.ts';
import { size } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { StateLabel } from '../../parts/state-label.tsx';
import type { Column } from '../../parts/table.tsx';

/** Longer ids are cut in the middle, where people look last. */
const ID_LENGTH = 20;

export function jobColumns(queue: string): readonly Column<JobSummary>[] {
  return [
    {
      label: 'Job',
      cell: ({ id }) => (
        <a class="id" href={pageLink(['queues', queue, 'jobs', id])} title={id}>
          {shortId(id)}
        </a>
      ),
    },
    { label: 'State', phone: 'beside', cell: ({ state }) => <StateLabel state={state} /> },
    { label: 'Name', cell: ({ name }) => <span class="text">{name}</span> },
    { label: 'About', cell: (job) => <About job={job} /> },
    {
      label: 'Status',
      isNumber: true,
      cell: ({ lastStatus }) => <span class="number">{lastStatus ?? '–'}</span>,
    },
    {
      label: 'Attempts',
      isNumber: true,
      cell: ({ attemptsMade, attempts }) => (
        <span class="number">
          {attemptsMade}/{Math.max(attempts, 1)}
        </span>
      ),
    },
    { label: 'When', cell: (job) => <Time at={whenOf(job)} /> },
    {
      label: 'Data',
      phone: 'hidden',
      isNumber: true,
      cell: ({ dataSize }) => <span class="number">{size(dataSize)}</span>,
    },
  ];
}

export function selectionColumn(
  jobs: readonly JobSummary[],
  selected: ReadonlySet<string>,
  toggle: (ids: readonly string[], isOn: boolean) => void,
): Column<JobSummary> {
  const ids = jobs.map(({ id }) => id);
  const areAll = ids.every((id) => selected.has(id));
  return {
    label: 'Select',
    heading: (
      <input
        type="checkbox"
        aria-label="Select all jobs of this page"
        checked={areAll}
        onChange={() => toggle(ids, !areAll)}
      />
    ),
    cell: ({ id }) => (
      <input
        type="checkbox"
        aria-label={`Select job ${id}`}
        checked={selected.has(id)}
        onChange={({ currentTarget }) => toggle([id], currentTarget.checked)}
      />
    ),
  };
}

export function shortId(id: string): string {
  const half = ID_LENGTH / 2;
  return id.length <= ID_LENGTH + 1 ? id : `${id.slice(0, half)}…${id.slice(-half)}`;
}

function About({ job }: { readonly job: JobSummary }): VNode {
  const { state, failedReason, progress } = job;
  if (state === 'active' && typeof progress === 'number' && progress > 0) {
    return (
      <span>
        <progress max={100} value={progress} aria-label="Progress" /> {progress} %
      </span>
    );
  }
  return <span class="text">{state === 'completed' ? '' : failedReason}</span>;
}

function whenOf({ state, dueAt, finishedOn, processedOn, timestamp }: JobSummary): number {
  if (state === 'delayed' && dueAt !== null) return dueAt;
  return finishedOn ?? (state === 'active' ? processedOn : null) ?? timestamp;
}
