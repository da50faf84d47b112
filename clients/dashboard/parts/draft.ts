import { useState } from 'preact/hooks';

/** Holds the values of a form while a person types. @returns them, and the properties of the field of each. */
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
