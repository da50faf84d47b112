import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { goTo, withParameters } from '../../navigation/route.ts';
import { Quiet } from '../../parts/button.tsx';
import { Form } from '../../parts/dialog.tsx';
import { termsOf } from './job-search.ts';
import type { With } from '../../parts/properties.ts';

/** How terms of a search begin, and what such a term may look like. */
const FIELDS = [
  ['name:', 'name:scale'],
  ['reason:', 'reason:"Not a PNG"'],
  ['status:', 'status:503'],
  ['group:', 'group:acme'],
  ['data.', 'data.customer:17'],
  ['from:', 'from:-1h'],
  ['to:', 'to:2026-11-25T08:00'],
] as const;

/** The search of the page, with its terms, each of which can be removed. */
export function SearchField({ text, children }: With<'text' | 'children'>): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = text;
  }, [text]);
  const terms = termsOf(text);
  const begin = (name: string): void => {
    const input = field.current;
    if (input === null) return;
    input.value = `${input.value.trimEnd()} ${name}`.trimStart();
    input.focus();
  };
  return (
    <search class="filter">
      <Form
        submit={() =>
          goTo(withParameters({ search: field.current?.value.trim(), start: undefined }))
        }
      >
        <input
          ref={field}
          type="search"
          aria-label="Search the jobs"
          placeholder={`${FIELDS[0][1]} ${FIELDS[1][1]}`}
          defaultValue={text}
        />
        <button type="submit">Search</button>
      </Form>
      {terms.length > 0 ? (
        <ul class="terms" aria-label="Terms of the search">
          {terms.map((term, index) => (
            <li key={index} class="chip">
              <code class="text">{term}</code>
              <a
                aria-label={`Without ${term}`}
                href={withParameters({
                  search: terms.filter((_, other) => other !== index).join(' '),
                  start: undefined,
                })}
              >
                ×
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <span class="fields">
          {FIELDS.map(([name, example]) => (
            <Quiet key={name} title={`Such as ${example}`} onClick={() => begin(name)}>
              <code>{name}</code>
            </Quiet>
          ))}
        </span>
      )}
      {children}
    </search>
  );
}
