import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { goTo, withParameters } from '../../navigation/route.ts';
import { Choice, ParameterChoice } from '../../parts/fields.tsx';
import type { With } from '../../parts/properties.ts';
import { stateInWords } from '../../parts/state-label.tsx';

const STATES = ['paused', 'held', 'closed', 'open', 'disabled', 'blocked', 'failing', 'idle'];

const SORTS = ['name', 'waiting', 'active', 'failed', 'oldest', 'rate'];

/** How long after the last keystroke the list is filtered, in milliseconds. */
const TYPING = 250;

export function QueueFilter({
  name,
  sort,
  children,
}: With<'name' | 'children', { sort: string | undefined }>): VNode {
  const timer = useRef<number | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const input = field.current;
    if (input !== null && input !== document.activeElement) input.value = name;
  }, [name]);
  const search = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      goTo(withParameters({ name: text.trim(), start: undefined }), { replace: true });
    }, TYPING);
  };
  return (
    <search class="filter">
      <input
        ref={field}
        type="search"
        placeholder="Name, such as mail-*"
        aria-label="Name of the queue"
        defaultValue={name}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      <ParameterChoice label="State" parameter="state" values={STATES} inWords={stateInWords} />
      <Choice
        label="Sort"
        value={sort ?? 'name'}
        values={SORTS}
        change={(value) => {
          const chosen = value === 'name' ? undefined : value;
          goTo(withParameters({ sort: chosen, order: undefined, start: undefined }));
        }}
      />
      {children}
    </search>
  );
}
