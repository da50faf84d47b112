import type { VNode } from 'preact';
import type { With } from './properties.ts';

/** A text field for JSON. */
export function JsonField({
  label,
  rows,
  value,
  change,
  placeholder,
}: With<'label' | 'value' | 'change', { rows: number; placeholder?: string }>): VNode {
  return (
    <label>
      {label}
      <textarea
        rows={rows}
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}
