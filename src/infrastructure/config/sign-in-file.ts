import {
  signInFileShape,
  USUAL_SCOPES,
  type SignInFile,
  type SignInSettings,
} from '../../domain/access/sign-in.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import type { ConfigFile } from '../watched-file.ts';
import { checkRule } from './check-rule.ts';
import { readJson } from './file-entries.ts';
import { checkRules } from './jwt-issuers-file.ts';

const variable = 'SIGN_IN_FILE';

/**
 * Reads `SIGN_IN_FILE` (further contract, section 25).
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseSignIn(content: string): SignInSettings {
  return readJson(variable, content, (given) => {
    checkExactShape(signInFileShape, given, '');
    const file = given as SignInFile;
    const { scopes = USUAL_SCOPES } = file;
    checkRule(scopes.includes('openid'), 'scopes must have openid');
    checkRules(file.rules, 'rules');
    return { ...file, scopes };
  });
}

export const SIGN_IN_FILE: ConfigFile<SignInSettings> = {
  variable,
  name: 'file of the sign-in',
  holds: 'settings',
  parse: parseSignIn,
  report: ({ issuer, rules }) => ({ issuer, rules: rules.length }),
};
