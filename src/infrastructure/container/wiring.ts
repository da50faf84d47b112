import type { ContainerModuleLoadOptions, ResolutionContext, ServiceIdentifier } from 'inversify';

type Bind = ContainerModuleLoadOptions['bind'];

type TokensOf<Parts> = { readonly [Part in keyof Parts]: ServiceIdentifier<Parts[Part]> };

/** Short forms of bindings. Wrong, missing or extra parts do not compile. */
export class Wiring {
  readonly #bind: Bind;

  constructor(bind: Bind) {
    this.#bind = bind;
  }

  /** Binds a token to a class whose constructor takes the values of these tokens, in this order. */
  readonly inOrder = <T, Parts extends readonly unknown[]>(
    token: ServiceIdentifier<T>,
    Class: new (...parts: Parts) => NoInfer<T>,
    tokens: TokensOf<NoInfer<Parts>>,
  ): void => {
    this.#bind(token).toDynamicValue((context) => {
      const parts: unknown = Object.values(resolve(context, tokens));
      return new Class(...(parts as Parts));
    });
  };

  /**
   * Binds a token to a class whose constructor takes one object with the values of these tokens.
   *
   * @param settings the fields of the object that have no token.
   */
  readonly byName = <T, Parts extends object, Settings extends object = object>(
    token: ServiceIdentifier<T>,
    Class: new (parts: Parts) => NoInfer<T>,
    tokens: TokensOf<Omit<NoInfer<Parts>, keyof Settings>>,
    ...settings: keyof Settings extends never ? [] : [Settings & Partial<Parts>]
  ): void => {
    this.#bind(token).toDynamicValue((context) => {
      const parts: object = { ...resolve(context, tokens), ...settings[0] };
      return new Class(parts as Parts);
    });
  };
}

/** The values of the tokens in a record, under the same names and in the same order. */
export function resolve<Parts extends object>(
  context: ResolutionContext,
  tokens: TokensOf<Parts>,
): Parts {
  const parts = Object.entries<ServiceIdentifier>(tokens).map(([name, token]) => [
    name,
    context.get(token),
  ]);
  return Object.fromEntries(parts) as Parts;
}
