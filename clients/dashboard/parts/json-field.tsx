import type { VNode } from 'preact';

/** A text field for JSON. */
export function JsonField({
  label,
  rows,
  value,
  change,
  placeholder,
}: {
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly placeholder?: string;
}): VNode {
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
