import type { ComponentChildren, PartialInputHTMLAttributes, VNode } from 'preact';
import { goTo, query, withParameters } from '../navigation/route.ts';

/** A field for one line of text. */
export function Field({
  label,
  change,
  ...input
}: {
  readonly label: ComponentChildren;
  readonly value: string;
  readonly change: (value: string) => void;
} & Pick<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'autocomplete' | 'inputMode' | 'required'
>): VNode {
  return (
    <label>
      {label}
      <input type="text" {...input} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  );
}

/** A choice of one of some values. */
export function Choice<Value extends string>({
  label,
  value,
  values,
  change,
  inWords = (each) => each,
  mayBeAny = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly Value[];
  readonly change: (value: string) => void;
  readonly inWords?: (value: Value) => string;
  /** Whether none may be chosen, which is empty. */
  readonly mayBeAny?: boolean;
}): VNode {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {mayBeAny && <option value="">any</option>}
        {values.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice that the address of the page keeps. */
export function ParameterChoice(choice: {
  readonly label: string;
  readonly parameter: string;
  readonly values: readonly string[];
  readonly inWords?: (value: string) => string;
}): VNode {
  const { parameter, ...shown } = choice;
  return (
    <Choice
      {...shown}
      mayBeAny
      value={query.value.get(parameter) ?? ''}
      change={(value) => goTo(withParameters({ [parameter]: value, start: undefined }))}
    />
  );
}
