import { expect } from 'chai';
import { codeLinesOfLua, codeLinesOfTypeScript } from '../../scripts/size/code-lines.ts';

const TYPESCRIPT = `import { a } from './a.ts';
import {
  b,
} from './b.ts';

/** A comment, and one more. */
export const text = \`a
  // not a comment

b\`;
/* c */ export function d(
  e: string, // why
): string {
  return [
    e,
  ].join(a);
}
`;

describe('the size of the house', () => {
  it('counts neither blank lines nor comments, imports and lone brackets of TypeScript', () => {
    const counted = [
      'text',
      '// not',
      'b`',
      'd(',
      'e: string',
      '): string',
      'return',
      'e,',
      '.join',
    ];
    expect(codeLinesOfTypeScript('a.ts', TYPESCRIPT)).to.equal(counted.length);
  });

  it('counts the elements of a page', () => {
    const page = 'export const A = () => (\n  <p>\n    {/* no */}\n    text\n  </p>\n);\n';
    expect(codeLinesOfTypeScript('a.tsx', page)).to.equal(4);
  });

  it('counts neither blank lines nor comments of Lua', () => {
    expect(codeLinesOfLua('-- why\n\nlocal a = { -- b\n  1,\n}\nreturn a\n')).to.equal(3);
  });
});
