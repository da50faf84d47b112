import { expect } from 'chai';
import { ESLint } from 'eslint';

const RULE = 'jobgate/handled-promises';

/** The rule needs types, and so a file that the project has. */
const FILE = 'src/application/pulls/job-taking.ts';

const ASK = 'declare function ask(): Promise<number>;\n';

describe('the rule that promises are handled', function () {
  // The first file has the types of the whole project loaded.
  this.timeout(60_000);
  const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId === RULE });

  async function violations(code: string): Promise<readonly string[]> {
    const [result] = await eslint.lintText(ASK + code, { filePath: FILE });
    return result!.messages.filter(({ ruleId }) => ruleId === RULE).map(({ message }) => message);
  }

  for (const [what, code] of [
    [
      'only functions that may never run look at it',
      `export function each(list: readonly number[]) {
         const answer = ask();
         return Promise.allSettled(list.map(async () => await answer));
       }`,
    ],
    [
      'another one is awaited before it',
      `export async function both(): Promise<number> {
         const first = ask();
         await ask();
         return first;
       }`,
    ],
    [
      'it is collected for later',
      `export async function all(): Promise<void> {
         const answers = [ask()];
         await ask();
         await Promise.all(answers);
       }`,
    ],
    [
      'it is stored in a field',
      `export function keep(box: { kept?: Promise<number> }): void {
         const answer = ask();
         box.kept = answer;
       }`,
    ],
  ] as const) {
    it(`fires when ${what}`, async () => {
      expect(await violations(code)).to.have.lengthOf(1);
    });
  }

  for (const [what, code] of [
    [
      'is awaited together with another one',
      `export async function both(): Promise<void> {
         const first = ask();
         await Promise.all([first, ask()]);
       }`,
    ],
    [
      'is awaited after it was stored',
      `export async function keep(box: { kept?: Promise<number> }): Promise<void> {
         const answer = ask();
         box.kept = answer;
         await answer;
       }`,
    ],
    [
      'cannot reject',
      `export async function safe(): Promise<void> {
         const first = ask().catch(() => 0);
         const second = Promise.allSettled([ask()]);
         await ask();
         await first;
         await second;
       }`,
    ],
  ] as const) {
    it(`accepts a promise that ${what}`, async () => {
      expect(await violations(code)).to.deep.equal([]);
    });
  }
});
