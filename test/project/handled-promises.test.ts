import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { handledPromises } from '../../scripts/lint/handled-promises.js';

const RULE = 'jobgate/handled-promises';

const ASK = 'declare function ask(): Promise<number>;\n';

/** The rule needs types, for which a project of one file is enough. */
const PROJECT = { compilerOptions: { target: 'es2022', types: [] }, files: ['probe.ts'] };

describe('the rule that promises are handled', function () {
  // The types of the language are read with the first probe.
  this.timeout(60_000);
  let folder: string;
  let eslint: ESLint;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-lint-'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(PROJECT));
    await writeFile(join(folder, 'probe.ts'), '');
    eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: {
        files: ['**/*.ts'],
        plugins: { jobgate: { rules: { 'handled-promises': handledPromises } } },
        rules: { [RULE]: 'error' },
        languageOptions: {
          parser: tseslint.parser,
          parserOptions: {
            project: './tsconfig.json',
            tsconfigRootDir: folder,
            // With CI=true, the parser reads types from the empty file in place of the text that is linted.
            disallowAutomaticSingleRunInference: true,
          },
        },
      },
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function violations(code: string): Promise<readonly string[]> {
    const [result] = await eslint.lintText(ASK + code, { filePath: join(folder, 'probe.ts') });
    expect(result!.messages.filter(({ fatal }) => fatal)).to.deep.equal([]);
    return result!.messages.map(({ message }) => message);
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
