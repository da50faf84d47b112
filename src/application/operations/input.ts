import type { JsonSchema, Shape } from '../../domain/values/shape.ts';

/** The input of an operation, part by part: where each comes from, and how it is read. */
export type InputParts<Input> = { readonly [Name in keyof Input]: Part<Input[Name]> };

export type Part<Value> =
  Place<Value> | Given<Value> | Option<Value> | Options<Value> | Order<Value>;

/** Names a thing that the operation is about. */
export interface Place<Value> extends Typed<Value> {
  readonly kind: 'place';
}

/** Comes from the way in itself, such as the token of a call. */
export interface Given<Value> extends Typed<Value> {
  readonly kind: 'given';
}

interface Typed<Value> {
  /** Not there: it carries the type. */
  readonly value?: Value;
}

/**
 * Turns the text of an option into its value; `undefined` means that it is absent. A mistake is reported as text that
 * continues after the name of the option; the value must not be used then.
 */
export type OptionReader<Value> = (
  text: string | undefined,
  refuse: (problem: string) => void,
) => Value;

/** A named text that callers may give, such as a parameter of a query: how it is read and documented. */
export interface Option<Value> {
  readonly kind: 'option';
  readonly parse: OptionReader<Value>;
  readonly schema: JsonSchema;
  readonly description: string;
}

/** Options that are one value of the input together. */
export interface Options<Value> {
  readonly kind: 'options';
  readonly options: { readonly [Name in keyof Value]: Option<Value[Name]> };
}

/** What a caller orders or sends along. */
export interface Order<Value> extends OrderTerms<Value> {
  readonly kind: 'order';
  readonly shape: Shape<Value>;
  /** Completes the sentence "expected ..." for a client. */
  readonly expected: string;
}

interface OrderTerms<Value> {
  /** The order of a caller that sends none, where it may be absent. */
  readonly whenAbsent?: Value;
  /** Its longest text, in bytes, where it must be shorter than most. */
  readonly most?: number;
  /** The error for a longer one, if it is one of its own. */
  readonly tooLarge?: () => Error;
}

export function place<Value extends string>(): Place<Value> {
  return { kind: 'place' };
}

export function given<Value>(): Given<Value> {
  return { kind: 'given' };
}

export function order<Value>(
  shape: Shape<Value>,
  expected: string,
  terms: OrderTerms<NoInfer<Value>> = {},
): Order<Value> {
  return { kind: 'order', shape, expected, ...terms };
}

/**
 * The part of an input that is a JSON object which callers order or send along.
 *
 * @param thing completes the sentence "expected ..." for a client.
 */
export function withOrder<Value>(
  shape: Shape<Value>,
  thing: string,
  terms?: OrderTerms<NoInfer<Value>>,
): { readonly order: Order<Value> } {
  return { order: order(shape, `${thing} as a JSON object`, terms) };
}

/** The same of an object without required fields: a caller that sends none orders the empty one. */
export function withOptionalOrder<Value>(
  shape: Partial<Value> extends Value ? Shape<Value> : never,
  thing: string,
  terms?: OrderTerms<NoInfer<Value>>,
): { readonly order: Order<Value> } {
  return withOrder<Value>(shape, thing, { ...terms, whenAbsent: {} as Value });
}
