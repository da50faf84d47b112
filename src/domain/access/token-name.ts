import { text } from '../values/shape.ts';
import { isPrintable, isUnmistakable } from '../values/text.ts';

/** How the ids begin that the service gives to tokens of the environment, of the file and of issuers. */
const GIVEN = /^\s*(environment|file|jwt|sign-in)\s*:/i;

/** Characters that are not visible between letters, and that names may have. */
const JOINERS = /[\u200c\u200d]/g;

/** The name of a token. It cannot pass for an id that the service gives, whatever characters it is written with. */
export const tokenNameShape = text(
  'be a text of 1 to 100 visible characters that does not begin like the ids the service gives, such as environment:1',
  (name) =>
    name.trim() !== '' &&
    name.length <= 100 &&
    isPrintable(name) &&
    isUnmistakable(name) &&
    !GIVEN.test(name.normalize('NFKC').replace(JOINERS, '')),
  { minLength: 1, maxLength: 100 },
);
