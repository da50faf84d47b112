import type { VNode } from 'preact';
import type { Attempt, JobSummary } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';
import { now } from '../../format/time.tsx';
import { Icon } from '../../parts/icon.tsx';
import { attemptId } from './attempt-list.tsx';
import type { With } from '../../parts/properties.ts';

interface Segment {
  readonly kind: 'wait' | 'call';
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly state: string;
  /** The number of an attempt that is on record. */
  readonly attempt?: number | undefined;
}

/** The life of a job to scale: how long it waited, and how each attempt went. */
export function Timeline({ job, attempts }: With<'job', { attempts: readonly Attempt[] }>): VNode {
  const segments = segmentsOf(job, attempts);
  const whole = segments.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <figure class="timeline">
      <div class="segments" aria-hidden="true">
        {segments.map(({ kind, from, to, label, state }, index) => (
          <span
            key={index}
            class={`segment segment-${kind} state-${state}`}
            style={{ flexGrow: whole === 0 ? 1 : to - from }}
            title={`${label}, ${duration(to - from)}`}
          />
        ))}
      </div>
      <ol>
        {segments.map(({ from, to, label, state, attempt }, index) => (
          <li key={index}>
            <span class={`state state-${state}`}>
              <Icon of={state} />
              {attempt === undefined ? label : <a href={`#${attemptId(attempt)}`}>{label}</a>}
            </span>
            <span class="muted number">{duration(to - from)}</span>
          </li>
        ))}
      </ol>
      <figcaption class="muted">{duration(whole)} in all</figcaption>
    </figure>
  );
}

function segmentsOf(job: JobSummary, attempts: readonly Attempt[]): readonly Segment[] {
  const segments: Segment[] = [];
  let reached = job.timestamp;
  const wait = (until: number, label: string, state = 'waiting'): void => {
    if (until > reached) segments.push({ kind: 'wait', from: reached, to: until, label, state });
    reached = Math.max(reached, until);
  };
  const call = (from: number, to: number, label: string, state: string, attempt?: number): void => {
    segments.push({ kind: 'call', from, to, label, state, attempt });
    reached = Math.max(reached, to);
  };
  for (const attempt of [...attempts].sort((one, other) => one.number - other.number)) {
    const { startedAt, endedAt, number, status, outcome } = attempt;
    wait(startedAt, segments.length === 0 ? 'waited' : 'waited again');
    const label = `attempt ${number}${status === null ? '' : `: ${status}`}`;
    call(startedAt, endedAt, label, outcome, number);
  }
  if (job.state === 'active') {
    wait(job.processedOn ?? reached, 'waited');
    call(reached, Math.max(now.value, reached), 'runs', 'active');
  } else if (job.finishedOn === null) {
    wait(now.value, job.state === 'delayed' ? 'delayed' : 'waits');
  } else {
    wait(job.finishedOn, job.state, job.state);
  }
  return segments;
}
