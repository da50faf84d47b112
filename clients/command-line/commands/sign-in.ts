import { claimInWords, type Admission } from '../../../src/domain/values/admission-in-words.ts';
import type { Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import { objectOf, sourceOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields, lines } from '../output/fields.ts';

function text({ match, scopes, claims, rules }: Admission): string {
  return fields([
    ['rule', match?.name ?? 'none matches'],
    ['rights', match?.rights.join(', ')],
    ['queues', match && (match.queues?.join(', ') ?? 'all')],
    ['scopes', scopes.join(', ')],
    ['claims', claims.join(', ')],
    ...rules.map(({ name, asked }) => {
      const words = asked.map((each) => `${each.claim} = ${each.pattern}: ${claimInWords(each)}`);
      return [`rule ${name}`, lines(...words)] as const;
    }),
  ]);
}

async function check(call: Invocation): Promise<void> {
  const claims = call.text('claims');
  if (claims === undefined) throw new UsageError('--claims is missing');
  const file = call.text('file') ?? call.variables['SIGN_IN_FILE'];
  if (file === undefined) throw new UsageError('--file is missing, and SIGN_IN_FILE is not set');
  const given = objectOf('--claims', `@${claims}`);
  const checked = await call.without.signIns.check(given, sourceOf('--file', `@${file}`));
  call.answer(checked, text);
  if (checked.match === null) throw new Failed('Nobody with these claims may sign in');
}

export const signInCommand: Declaration = {
  usage: 'sign-in check',
  summary: 'say what the rules of SIGN_IN_FILE make of the claims of a person',
  details:
    'Neither a service nor the issuer is asked. Values are shown of claims that rules ask for. The exit code is 1 when no rule matches.',
  examples: ['sign-in check --claims claims.json --file sign-in.json'],
  options: {
    'claims <file>': 'a JSON object of claims, as in an ID token',
    'file <file>': 'in place of SIGN_IN_FILE',
  },
  run: check,
};
