/** The whole look of the page: light and dark, on a screen and on a phone. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1b222b; --soft: #5c646f; --line: #dfe2e6; --back: #f9fafc;
  --panel: #fff; --link: #1467c2; --get: #197037; --post: #8a5600; --delete: #be222a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ef; --soft: #969fab; --line: #2b333e;
  --back: #0b1016; --panel: #131920; --link: #70adfb; --get: #6fd087; --post: #e9b452; --delete: #f97770; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 9rem; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1rem 4rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; margin: .5rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--back); }
h1 { margin: .5rem 0; }
h1 small { color: var(--soft); font-size: 1rem; font-weight: normal; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 .25rem; font-size: .875rem; color: var(--soft); }
p { margin: .25rem 0 .75rem; }
nav { position: sticky; top: 0; padding: .75rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: .5rem 0 0; padding: 0; }
nav a { display: inline-block; min-height: 1.5rem; }
nav form:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; }
nav output { color: var(--soft); }
input { flex: 1 1 16rem; max-width: 32rem; padding: .375rem .625rem; font: inherit; color: inherit;
  background: var(--panel); border: 1px solid var(--soft); border-radius: .375rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
details { background: var(--panel); border: 1px solid var(--line); border-bottom: 0; padding: 0 1rem; }
details:first-of-type { border-radius: .5rem .5rem 0 0; }
details:last-of-type { border-bottom: 1px solid var(--line); border-radius: 0 0 .5rem .5rem; }
details[open] { padding-bottom: 1rem; }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; padding: .5rem 0; cursor: pointer; }
summary:hover { color: var(--link); }
details[open] > summary { margin-bottom: .5rem; border-bottom: 1px solid var(--line); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
td { padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 11rem; white-space: nowrap; }
td p { margin: 0; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
.get { color: var(--get); } .delete { color: var(--delete); }
.post, .put, .patch { color: var(--post); }
.soft { color: var(--soft); font-size: .875rem; }
@media print { nav { position: static; } }
@media (max-width: 40rem) { nav { position: static; } html { scroll-padding-top: 1rem; } td { display: block; border: 0; padding: 0; }
  td:first-child { width: auto; padding-top: .5rem; border-top: 1px solid var(--line); } }
`;
