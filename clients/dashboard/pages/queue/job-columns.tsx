import type { VNode } from 'preact';
import type { JobSummary } from '../../../typescript/src/api.ts';
import { size } from '../../format/number.tsx';
import { duration } from '../../format/duration.ts';
import { now, Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { StateLabel } from '../../parts/state-label.tsx';
import type { Column } from '../../parts/table.tsx';
import { DataExcerpt } from './data-excerpt.tsx';

/** The longest id that is shown whole. Longer ids are cut in the middle, where people look last. */
const ID_LENGTH = 20;

/** @param showsData whether the beginning of each job's data is read, and shown in place of its size. */
export function jobColumns(queue: string, showsData = false): readonly Column<JobSummary>[] {
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
    { label: 'When', cell: (job) => <When job={job} /> },
    showsData
      ? { label: 'Data', cell: (job) => <DataExcerpt queue={queue} job={job} /> }
      : {
          label: 'Data',
          phone: 'hidden',
          isNumber: true,
          cell: ({ dataSize }) => <span class="number">{size(dataSize)}</span>,
        },
  ];
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

function When({ job }: { readonly job: JobSummary }): VNode {
  if (job.state !== 'active' || job.processedOn === null) return <Time at={whenOf(job)} />;
  return (
    <span class="id">
      running <span class="number">{duration(now.value - job.processedOn)}</span>
    </span>
  );
}

function whenOf({ state, dueAt, finishedOn, timestamp }: JobSummary): number {
  if (state === 'delayed' && dueAt !== null) return dueAt;
  return finishedOn ?? timestamp;
}
