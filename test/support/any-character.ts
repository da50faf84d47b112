import fc from 'fast-check';

/** Any character of Unicode, and halves of surrogate pairs. The library's own binary unit takes seconds to set up. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((codePoint) => String.fromCodePoint(codePoint));
