/** What CommonJS packages expect to find around them, which an ES module does not have. */
const COMMONJS = `import { createRequire as createRequireOfChunk } from 'node:module';
const require = createRequireOfChunk(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

/**
 * The service reads bodies itself (src/adapters/inbound/exchange/request-body.ts). What Express has for that would
 * bring half a megabyte of tables of character sets, which every process would load and compile.
 */
const WITHOUT_BODY_PARSERS = {
  name: 'without body parsers',
  setup(build) {
    build.onResolve({ filter: /^body-parser$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /^body-parser$/, namespace: 'left-out' }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** How esbuild makes programs of the project for the oldest Node.js that is supported. @param root of the project. */
export function nodeBundle(root) {
  return {
    absWorkingDir: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    // What the configuration did not choose stays in chunks that are never loaded.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: COMMONJS },
    logLevel: 'warning',
    plugins: [WITHOUT_BODY_PARSERS],
  };
}
