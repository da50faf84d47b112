import type { VNode } from 'preact';
import type { Attempt, JobSummary, Step } from '../../../typescript/src/api.ts';
import { counted } from '../../../rules/counted.ts';
import { duration } from '../../format/duration.ts';
import { now } from '../../format/time.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { With } from '../../parts/properties.ts';
import { attemptId, inOrder, namesInLine } from './attempt-order.ts';

interface Segment {
  readonly kind: 'wait' | 'call';
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly state: string;
  /** The place of an attempt that is on record. */
  readonly attempt?: number | undefined;
  /** The names of the steps that it saved. */
  readonly saved?: readonly string[] | undefined;
}

/** The life of a job to scale: how long it waited, for which steps, and how each attempt went. */
export function Timeline({
  job,
  attempts,
  steps,
}: With<'job', { attempts: readonly Attempt[]; steps: readonly Step[] }>): VNode {
  const segments = segmentsOf(job, inOrder(attempts), steps);
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
        {segments.map(({ from, to, label, state, attempt, saved = [] }, index) => (
          <li key={index}>
            <span class={`state state-${state}`}>
              <Icon of={state} />
              {attempt === undefined ? label : <a href={`#${attemptId(attempt)}`}>{label}</a>}
            </span>
            {saved.length > 0 && <span class="text">saved {namesInLine(saved)}</span>}
            <span class="muted number">{duration(to - from)}</span>
          </li>
        ))}
      </ol>
      <figcaption class="muted">{duration(whole)} in all</figcaption>
    </figure>
  );
}

/** @param attempts by time. */
function segmentsOf(
  job: JobSummary,
  attempts: readonly Attempt[],
  steps: readonly Step[],
): readonly Segment[] {
  const segments: Segment[] = [];
  let reached = job.timestamp;
  const wait = (until: number, label: string, state = 'waiting'): void => {
    if (until > reached) segments.push({ kind: 'wait', from: reached, to: until, label, state });
    reached = Math.max(reached, until);
  };
  const call = (segment: Omit<Segment, 'kind'>): void => {
    segments.push({ kind: 'call', ...segment });
    reached = Math.max(reached, segment.to);
  };
  for (const [place, attempt] of attempts.entries()) {
    const { startedAt: from, endedAt: to, number, status, outcome: state, saved } = attempt;
    if (place === 0) wait(from, waitBefore(from, steps));
    else if (attempts[place - 1]?.outcome !== 'suspended') wait(from, 'waited again');
    else wait(from, waitFor(steps, reached, from), 'suspended');
    const label = `attempt ${number}${status === null ? '' : `: ${status}`}`;
    call({ from, to, label, state, saved, attempt: place });
  }
  if (job.state === 'active') {
    const from = job.processedOn ?? reached;
    wait(from, segments.length === 0 ? 'waited' : waitFor(steps, reached, from));
    const saved = steps.flatMap(({ name, kind, at }) =>
      kind === 'value' && at >= from ? [name] : [],
    );
    const to = Math.max(now.value, reached);
    call({ from: reached, to, label: 'runs', state: 'active', saved });
  } else if (job.suspended) {
    wait(now.value, `waits for ${namesInLine(job.suspended.steps)}`, 'suspended');
  } else if (job.finishedOn === null) {
    wait(now.value, job.state === 'delayed' ? 'delayed' : 'waits');
  } else {
    wait(job.finishedOn, job.state, job.state);
  }
  return segments;
}

/** The time before the first attempt on record: earlier ones may have saved steps. */
function waitBefore(start: number, steps: readonly Step[]): string {
  const { length } = steps.filter(({ at }) => at < start);
  return length === 0 ? 'waited' : `earlier, with ${counted(length, 'step')}`;
}

/** What a suspended job waited for between two attempts. */
function waitFor(steps: readonly Step[], from: number, to: number): string {
  const over = steps.filter(({ kind, at }) => kind !== 'value' && at >= from && at <= to);
  if (over.length === 0) return 'waited again';
  return `waited for ${namesInLine(over.map(({ name }) => name))}`;
}
