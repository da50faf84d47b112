import type { VNode } from 'preact';
import { duration } from '../../../format/duration.ts';
import { valueAt } from './field-of.ts';

export interface EditedPolicy {
  readonly policy: object;
  readonly change: (path: readonly string[], value: unknown) => void;
}

/** One number of a policy, of 0 or more. */
interface NumberField {
  readonly label: string;
  readonly path: readonly string[];
  /** What it counts; times are shown in words too. */
  readonly unit?: 'ms' | 's' | 'bytes';
}

const MILLISECONDS = { ms: 1, s: 1000 } as const;

/** Numbers of a policy under one heading. An empty field is left out of the policy. */
export function NumberFields({
  legend,
  fields,
  policy,
  change,
}: EditedPolicy & {
  readonly legend: string;
  readonly fields: readonly NumberField[];
}): VNode {
  return (
    <fieldset class="policy">
      <legend>{legend}</legend>
      {fields.map(({ label, path, unit }) => {
        const value = valueAt(policy, path);
        const isNumber = typeof value === 'number';
        const time = unit === undefined || unit === 'bytes' ? undefined : MILLISECONDS[unit];
        return (
          <label key={label}>
            {unit === undefined ? label : `${label} (${unit})`}
            <input
              type="number"
              min={0}
              step={1}
              // What is no number, such as a backoff with a type, is edited as JSON.
              disabled={value !== undefined && !isNumber}
              placeholder={value === undefined || isNumber ? undefined : 'see the JSON'}
              value={isNumber ? value : ''}
              onInput={({ currentTarget }) => {
                const { value: typed, valueAsNumber } = currentTarget;
                change(path, typed === '' ? undefined : valueAsNumber);
              }}
            />
            {isNumber && time !== undefined && (
              <span class="context">{duration(value * time)}</span>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}
