/** Types for internal modules of undici, which have none of their own. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}

declare module 'undici/lib/core/symbols.js' {
  const symbols: { readonly kParser: unique symbol; readonly kSocket: unique symbol };
  export default symbols;
}
