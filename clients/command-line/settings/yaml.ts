import { Document, visit } from 'yaml';

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufdd0-\ufddf]/g;

/** Each value as a YAML document of its own, in which no character is one that the terminal must not get. */
export function yamlOf(values: readonly unknown[]): string {
  return values.map((value) => `---\n${documentOf(value)}`).join('');
}

function documentOf(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.search(UNPRINTABLE) >= 0)
        node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0 });
  // All of them are in double quotes, where YAML knows this escape.
  return text.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
