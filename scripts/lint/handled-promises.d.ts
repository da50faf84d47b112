import type { ESLint } from 'eslint';

/** The rule of this repository that finds promises whose rejection nobody handles. */
export declare const handledPromises: NonNullable<ESLint.Plugin['rules']>[string];
