import type { VNode } from 'preact';
import { stoppedInWords } from '../../../src/domain/values/stop-in-words.ts';
import type { Stop } from '../../typescript/src/api.ts';
import { Icon } from './icon.tsx';

const WORDS: Readonly<Record<string, string>> = {
  open: 'breaker open',
  window: 'window closed',
  closed: 'window closed',
  'no-worker': 'no worker',
  limiter: 'at its rate',
  concurrency: 'all slots busy',
  'failed-job': 'behind a failed job',
  children: 'behind a failed child',
  'waiting-children': 'waiting for children',
};

export function stateInWords(state: string): string {
  return WORDS[state] ?? state;
}

interface StateLabelProperties {
  readonly state: string;
  readonly title?: string | undefined;
  readonly children?: string | undefined;
}

/** A state with its icon and its name. */
export function StateLabel({ state, title, children }: StateLabelProperties): VNode {
  return (
    <span class={`state state-${state}`} title={title}>
      <Icon of={state} />
      {children ?? stateInWords(state)}
    </span>
  );
}

/** The state of what a caller stopped, with the name of the caller, the time and the reason where they are known. */
export function StoppedLabel({
  stop,
  ...label
}: StateLabelProperties & { readonly stop: Stop | undefined }): VNode {
  return (
    <>
      <StateLabel {...label} />
      {stop && <div class="muted text">{stoppedInWords(stop)}</div>}
    </>
  );
}
