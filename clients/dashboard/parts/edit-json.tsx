import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, parsedJson } from '../../../src/domain/values/json.ts';
import type { ApiRequest } from '../api/request.ts';
import { FormDialog } from './form-dialog.tsx';
import { JsonDiff } from './json-diff.tsx';
import { JsonField } from './json-field.tsx';
import type { With } from './properties.ts';

export interface EditJsonProperties extends With<'title' | 'close'> {
  readonly value: object;
  /** The request that stores a value. */
  readonly request: (value: object) => ApiRequest;
  /** The message after a success. */
  readonly done: string;
  readonly saved: (answer: unknown) => void;
  /** Returns why a value must not be sent. */
  readonly refuse?: (value: object) => string | undefined;
  /** Shows the effect of the new value; null while the text is not valid JSON. */
  readonly preview?: (value: object | null) => ComponentChildren;
  /** Fields of a form for parts of the value; not shown while the text is not valid JSON. */
  readonly fields?: (value: object, replace: (value: object) => void) => ComponentChildren;
}

/** Edits a JSON value, and shows the change before it is made. */
export function EditJson({
  value,
  request,
  done,
  refuse,
  preview,
  fields,
  ...dialog
}: EditJsonProperties): VNode {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const parsed = parsedJson(text);
  const changed = isObject(parsed) ? parsed : null;
  return (
    <FormDialog
      {...dialog}
      request={changed === null ? undefined : request(changed)}
      done={() => done}
      mistake={changed === null ? 'This is not a JSON object' : refuse?.(changed)}
      effect={changed !== null && <JsonDiff before={value} after={changed} />}
    >
      {changed !== null && fields?.(changed, (next) => setText(JSON.stringify(next, null, 2)))}
      <JsonField label="As JSON" rows={12} value={text} change={setText} />
      {preview?.(changed)}
    </FormDialog>
  );
}
