import type { VNode } from 'preact';
import type { WindowSpan } from '../../../../typescript/src/api.ts';
import { valueAt } from './field-of.ts';
import type { EditedPolicy } from './number-fields.tsx';
import { Button } from '../../../parts/button.tsx';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const WINDOW = ['window'];

const NEW_SPAN: WindowSpan = { days: DAYS.slice(0, 5), from: '09:00', to: '17:00' };

/** The hours in which jobs may start. Without any they start at all times. */
export function WindowFields({ policy, change }: EditedPolicy): VNode {
  const spans = spansOf(policy);
  const zone = valueAt(policy, [...WINDOW, 'tz']);
  const tz = typeof zone === 'string' ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const set = (open: readonly WindowSpan[]): void => {
    change(WINDOW, open.length === 0 ? undefined : { open, tz });
  };
  const replace = (index: number, span: WindowSpan): void => set(spans.with(index, span));
  return (
    <fieldset class="policy">
      <legend>Hours in which jobs start</legend>
      {spans.length === 0 && <p class="context">At all times</p>}
      {spans.map((span, index) => (
        <SpanFields
          key={index}
          number={index + 1}
          span={span}
          change={(changed) => replace(index, changed)}
          remove={() => set(spans.toSpliced(index, 1))}
        />
      ))}
      {spans.length > 0 && (
        <label>
          Time zone
          <input
            type="text"
            list="zones"
            value={tz}
            onInput={({ currentTarget }) => change([...WINDOW, 'tz'], currentTarget.value)}
          />
          <datalist id="zones">
            {Intl.supportedValuesOf('timeZone').map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      )}
      <div class="buttons">
        <Button onClick={() => set([...spans, NEW_SPAN])}>Add hours</Button>
      </div>
    </fieldset>
  );
}

function SpanFields({
  number,
  span,
  change,
  remove,
}: {
  readonly number: number;
  readonly span: WindowSpan;
  readonly change: (span: WindowSpan) => void;
  readonly remove: () => void;
}): VNode {
  const { days = DAYS, from, to } = span;
  const toggle = (day: string): void => {
    const chosen = DAYS.filter((each) => days.includes(each) !== (each === day));
    if (chosen.length > 0) change({ days: chosen, from, to });
  };
  return (
    <div class="span" role="group" aria-label={`Hours ${number}`}>
      {DAYS.map((day) => (
        <label key={day} class="check">
          <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} /> {day}
        </label>
      ))}
      {timeField('from', from, (time) => change({ ...span, from: time }))}
      {timeField('to', to, (time) => change({ ...span, to: time }))}
      <Button aria-label={`Remove hours ${number}`} onClick={remove}>
        Remove
      </Button>
    </div>
  );
}

/** A field for text: that of browsers for times has no 24:00. */
function timeField(label: string, value: string, change: (time: string) => void): VNode {
  return (
    <label class="check">
      {label}{' '}
      <input
        type="text"
        size={5}
        maxLength={5}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

function spansOf(policy: object): readonly WindowSpan[] {
  const open = valueAt(policy, [...WINDOW, 'open']);
  return Array.isArray(open) ? (open as readonly WindowSpan[]) : [];
}
