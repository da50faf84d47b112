import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../rules/counted.ts';
import type { With } from './properties.ts';
import { Quiet } from './button.tsx';

/** Deeper values are folded at first. */
const OPEN_DEPTH = 2;

/** How many entries of a value are shown at once. */
const ENTRIES = 100;

/** The longest text that is shown whole: longer texts are cut until all of it is requested. */
const LONG_TEXT = 10_000;

/** A number as stored, if JavaScript cannot represent it. */
class ExactNumber {
  constructor(readonly text: string) {}
}

interface ReviverContext {
  readonly source?: string;
}

/** A JSON text as a foldable tree, with a name for people who do not see it. All its content is shown as text. */
export function JsonView({ label, text }: With<'label' | 'text'>): VNode {
  const parsed = parse(text);
  if (parsed === undefined)
    return (
      <pre class="json" role="region" aria-label={label} tabIndex={0}>
        {text}
      </pre>
    );
  return (
    <div class="json" role="region" aria-label={label} tabIndex={0}>
      <Value value={parsed.value} depth={0} />
    </div>
  );
}

function parse(text: string): { readonly value: unknown } | undefined {
  const exact = (_key: string, value: unknown, context?: ReviverContext): unknown => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined) return value;
    return String(value) === source || !/^-?\d{16,}/.test(source) ? value : new ExactNumber(source);
  };
  try {
    return { value: JSON.parse(text, exact) };
  } catch {
    return undefined;
  }
}

function Value({ value, depth }: { readonly value: unknown; readonly depth: number }): VNode {
  if (value instanceof ExactNumber) return <span class="json-number">{value.text}</span>;
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    if (items.length === 0) return <span>[]</span>;
    const label = `[ ${counted(items.length, 'item')} ]`;
    const entries = items.map((item, index) => [String(index), item] as const);
    return <Entries label={label} entries={entries} depth={depth} />;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return <span>{'{}'}</span>;
    const label = `{ ${counted(entries.length, 'field')} }`;
    return <Entries label={label} entries={entries} depth={depth} />;
  }
  if (typeof value === 'string') return <Text text={value} />;
  return (
    <span class={typeof value === 'number' ? 'json-number' : 'json-word'}>{String(value)}</span>
  );
}

function Entries({
  label,
  entries,
  depth,
}: With<'label', { entries: readonly (readonly [string, unknown])[]; depth: number }>): VNode {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(ENTRIES);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <ul>
          {entries.slice(0, shown).map(([name, value]) => (
            <li key={name}>
              <span class="json-name">{name}: </span>
              <Value value={value} depth={depth + 1} />
            </li>
          ))}
          {entries.length > shown && (
            <li>
              <Quiet onClick={() => setShown(shown + ENTRIES * 10)}>
                {entries.length - shown} more
              </Quiet>
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

function Text({ text }: { readonly text: string }): VNode {
  const [isWhole, setIsWhole] = useState(text.length <= LONG_TEXT);
  if (!isWhole) {
    return (
      <>
        <span class="json-text">{JSON.stringify(text.slice(0, LONG_TEXT))}</span>{' '}
        <Quiet onClick={() => setIsWhole(true)}>{text.length - LONG_TEXT} characters more</Quiet>
      </>
    );
  }
  const quoted = JSON.stringify(text);
  if (!/^https?:\/\/\S+$/.test(text)) return <span class="json-text">{quoted}</span>;
  return (
    <a class="json-text" href={text} rel="noreferrer" target="_blank">
      {quoted}
    </a>
  );
}
