import type { VNode } from 'preact';
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

/** A state with its icon and its name. */
export function StateLabel({
  state,
  title,
  children,
}: {
  readonly state: string;
  readonly title?: string | undefined;
  readonly children?: string | undefined;
}): VNode {
  return (
    <span class={`state state-${state}`} title={title}>
      <Icon of={state} />
      {children ?? stateInWords(state)}
    </span>
  );
}
