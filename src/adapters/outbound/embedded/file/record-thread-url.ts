/**
 * The module of the thread, when the service runs from its sources: threads of Node.js 20 do not know that the process
 * reads TypeScript. The build replaces this module (scripts/thread-files.js).
 */
export function recordThreadUrl(): URL {
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const thread = JSON.stringify(new URL('./record-thread.ts', import.meta.url).href);
  const code = `const { register } = await import(${loader}); register(); await import(${thread});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
