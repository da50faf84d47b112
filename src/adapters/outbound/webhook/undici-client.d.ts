/** The types of an internal module of undici, which has none of its own. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
