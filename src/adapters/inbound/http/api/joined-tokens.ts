import type { ConfiguredTokens } from '../../../../application/access/configured-tokens.ts';

/** The tokens of several sources. The first source that knows a token decides. */
export function joinedTokens(sources: readonly ConfiguredTokens[]): ConfiguredTokens {
  return {
    get all() {
      return sources.flatMap(({ all }) => all);
    },
    get isEmpty() {
      return sources.every(({ isEmpty }) => isEmpty);
    },
    find: (digest, address) => {
      for (const source of sources) {
        const caller = source.find(digest, address);
        if (caller !== undefined) return caller;
      }
      return undefined;
    },
    watch: (id, ended) => {
      for (const source of sources) {
        const end = source.watch?.(id, ended);
        if (end !== undefined) return end;
      }
      return undefined;
    },
  };
}
