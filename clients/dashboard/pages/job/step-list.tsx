import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JobSummary, Step } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { may } from '../../api/session.ts';
import { size } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { ActionButton, perform, type Action } from '../../parts/action.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Quiet } from '../../parts/button.tsx';
import type { With } from '../../parts/properties.ts';
import { StateLabel } from '../../parts/state-label.tsx';
import { isFinished, retrying } from './retrying.ts';

/** How many steps are shown before more are requested. */
const FIRST = 50;

const KINDS: Readonly<Record<string, string>> = {
  value: 'saved',
  sleep: 'slept',
  signal: 'signal came',
  jobs: 'jobs ended',
};

/** The saved steps of a job by time, each with its value. */
export function StepList({
  queue,
  job,
  steps,
  refresh,
}: With<'queue' | 'job' | 'refresh', { steps: readonly Step[] }>): VNode {
  const [shown, setShown] = useState(FIRST);
  return (
    <section class="card" id="steps">
      <h2>Steps ({steps.length})</h2>
      <ol class="attempts">
        {steps.slice(0, shown).map((step) => (
          <li key={step.name}>
            <p class="attempt">
              <strong>{step.name}</strong>
              <StateLabel state="completed">{kindInWords(step)}</StateLabel>
              <span class="number">{size(step.size)}</span>
              <Time at={step.at} />
              {job.state !== 'active' && (
                <ActionButton action={forgetting(queue, job, step.name, refresh)} />
              )}
            </p>
            {may('data') && <Value of={step} />}
          </li>
        ))}
      </ol>
      {steps.length > shown && (
        <Quiet onClick={() => setShown(shown + FIRST * 10)}>{steps.length - shown} more</Quiet>
      )}
    </section>
  );
}

function kindInWords({ kind, value }: Step): string {
  return kind === 'signal' && value === null ? 'timed out' : (KINDS[kind] ?? kind);
}

function Value({ of: { name, value } }: { readonly of: Step }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Value</summary>
      {isOpen && <JsonView label={`Value of ${name}`} text={JSON.stringify(value)} />}
    </details>
  );
}

/** Forgets one step. A finished job then starts over; any other does the step when it goes on. */
function forgetting(queue: string, job: JobSummary, name: string, refresh: () => void): Action {
  const { id } = job;
  const starts = isFinished(job);
  return {
    label: starts ? 'Forget and retry' : 'Forget',
    right: 'operate',
    request: { method: 'DELETE', path: apiPath('queues', queue, 'jobs', id, 'steps', name) },
    done: `The step ${name} is forgotten`,
    warning: starts
      ? `Job ${id} starts over, and its endpoint does ${name} again. The other steps stay.`
      : `When job ${id} goes on, its endpoint does ${name} again.`,
    after: starts ? () => void perform(retrying(queue, id, refresh)) : refresh,
  };
}
