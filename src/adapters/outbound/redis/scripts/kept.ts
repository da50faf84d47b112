import { integer } from './answer-check.ts';
import { number, script, text } from './script.ts';

export const replaceRecord = script(
  'kept/replace-record',
  ['records', 'meta', 'registry'],
  { id: text, before: text, record: text, most: number },
  integer,
);
