import { useState } from 'preact/hooks';

/** What the fields of a form hold as it is typed, and the properties of the field of each value. */
export function useDraft<Draft extends object>(initial: Draft) {
  const [draft, setDraft] = useState(initial);
  const change = (changes: Partial<Draft>): void =>
    setDraft((before) => ({ ...before, ...changes }));
  const field = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    change: (value: Draft[Name]): void => change({ [name]: value } as unknown as Partial<Draft>),
  });
  return { draft, change, field };
}
