import type { VNode } from 'preact';
import type { JobSummary } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';
import { size } from '../../format/number.tsx';
import { now, Time } from '../../format/time.tsx';
import { column, numberColumn, stateColumn, textColumn } from '../../parts/columns.tsx';
import { JobLink } from '../../parts/job-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { DataExcerpt } from './data-excerpt.tsx';

/** @param showsData whether the beginning of each job's data is read, and shown in place of its size. */
export function jobColumns(queue: string, showsData = false): readonly Column<JobSummary>[] {
  return [
    column('Job', ({ id }) => <JobLink queue={queue} id={id} />),
    stateColumn('State', ({ state }) => state, { phone: 'beside' }),
    textColumn('Name', ({ name }) => name),
    column('About', (job) => <About job={job} />),
    numberColumn('Status', ({ lastStatus }) => lastStatus),
    numberColumn('Attempts', (job) => `${job.attemptsMade}/${Math.max(job.attempts, 1)}`),
    column('When', (job) => <When job={job} />),
    showsData
      ? column('Data', (job) => <DataExcerpt queue={queue} job={job} />)
      : numberColumn('Data', ({ dataSize }) => size(dataSize), { phone: 'hidden' }),
  ];
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
