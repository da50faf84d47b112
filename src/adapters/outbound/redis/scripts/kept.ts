import { integer } from './answer-check.ts';
import { number, text, scriptsOf } from './script.ts';

const { script } = scriptsOf('kept');

export const replaceRecord = script(
  'replace-record',
  ['records', 'meta', 'registry'],
  { id: text, before: text, record: text, most: number },
  integer,
);
