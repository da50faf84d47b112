/** A part of a page that says what the service does, with the rules that stand there. */
export interface Section {
  readonly title: string;
  /** By id, such as `add.atomic`, which no other rule of any section has. */
  readonly rules: Readonly<Record<string, Rule>>;
}

/** A rule in words. One that no test can hold says why. */
export type Rule = string | { readonly text: string; readonly none: string };
