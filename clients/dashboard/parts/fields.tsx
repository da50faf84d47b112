import type { ComponentChildren, PartialInputHTMLAttributes, VNode } from 'preact';
import { goTo, query, withParameters } from '../navigation/route.ts';
import type { With } from './properties.ts';

type InputAttributes = Pick<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'autocomplete' | 'inputMode' | 'maxLength' | 'required'
>;

interface FieldProperties extends InputAttributes {
  readonly label: ComponentChildren;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A field for one line of text. */
export function Field({ label, change, ...input }: FieldProperties): VNode {
  return (
    <label>
      {label}
      <input type="text" {...input} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  );
}

/** A field for a text that has to be typed before what cannot be undone. */
export function Typed({
  expected,
  ...field
}: Omit<FieldProperties, 'label'> & { readonly expected: string }): VNode {
  const label = (
    <>
      Type <code>{expected}</code> to go on
    </>
  );
  return <Field {...field} label={label} autocomplete="off" />;
}

/** A choice of one of some values. */
export function Choice<Value extends string>({
  label,
  value,
  values,
  change,
  inWords = (each) => each,
  mayBeAny = false,
}: With<'label' | 'value' | 'change'> & {
  readonly values: readonly Value[];
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
export function ParameterChoice({
  parameter,
  ...choice
}: With<'label'> & {
  readonly parameter: string;
  readonly values: readonly string[];
  readonly inWords?: (value: string) => string;
}): VNode {
  return (
    <Choice
      {...choice}
      mayBeAny
      value={query.value.get(parameter) ?? ''}
      change={(value) => goTo(withParameters({ [parameter]: value, start: undefined }))}
    />
  );
}
