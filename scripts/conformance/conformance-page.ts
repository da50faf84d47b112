import { allHolders, type Holder } from '../../test/conformance/holders.ts';
import { PAGES } from '../../test/conformance/rules.ts';
import type { Rule, Section } from '../../test/conformance/section.ts';

const INTRODUCTION = `# Conformance

Every rule of the specification, every decision where it is silent, everything that goes beyond it, and
every promise of [SECURITY.md](../SECURITY.md), with the tests that fail when the rule is broken. \`npm run conformance\`
writes this page. The rules are in [test/conformance](../test/conformance); a test names the rules that it
holds by their ids, in a comment right above it. The title of a table-driven test is a pattern, such as
\`refuses \${query}\`; a row of such a table stands in place of a title.

Where the tests are:

- \`e2e\`: the service as a process of its own. Those of \`e2e/service\` run with the embedded store, with
  Redis and with a Redis Cluster.
- \`integration/http\`: the REST interface over the embedded store.
- \`contracts\`: what every adapter of a port must keep.
- \`integration/redis\`: what only a real Redis can show.
- \`unit\`: everything that needs no store and no network.
- \`chaos\`: kills, outages and rolling restarts under load.`;

/** The page of all rules with the tests that hold them, in Markdown. */
export function conformancePage(): string {
  const holders = allHolders();
  const sectionText = ({ title, rules }: Section) => {
    const texts = Object.entries(rules).map(([id, rule]) => ruleText(id, rule, holders));
    return [`### ${title}`, ...texts].join('\n\n');
  };
  const pages = Object.entries(PAGES).map(([title, sections]) =>
    [`## ${title}`, ...sections.map(sectionText)].join('\n\n'),
  );
  return [INTRODUCTION, ...pages].join('\n\n');
}

function ruleText(id: string, rule: Rule, holders: readonly Holder[]): string {
  const held = holders.filter(({ rules }) => rules.includes(id)).map(holderText);
  const [text, lines] =
    typeof rule === 'string'
      ? [rule, held]
      : [rule.text, [`Nothing to hold: ${rule.none}`, ...held]];
  return [`- \`${id}\`: ${text}`, ...lines.map((line) => `  - ${line}`)].join('\n');
}

function holderText({ file, title }: Holder): string {
  const name = file.replace(/(\.(test|contract|chaos))?\.ts$/, '');
  return `[${name}](../test/${file}) ${code(title)}`;
}

/** As code, whatever backticks it holds. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
