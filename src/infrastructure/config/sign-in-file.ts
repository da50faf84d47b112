import type { IssuerRule } from '../../domain/access/token-issuer.ts';
import {
  completedSignIn,
  signInFileShape,
  type SignInSettings,
} from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import { parsedJson } from '../../domain/values/json.ts';
import { checkRule } from './check-rule.ts';
import { fileError } from './file-entries.ts';
import { checkedRules } from './jwt-issuers-file.ts';

/** The variable that names the file. */
export const SIGN_IN_FILE = 'SIGN_IN_FILE';

/**
 * Reads `SIGN_IN_FILE` (further contract, section 25).
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseSignIn(content: string): SignInSettings {
  try {
    const file: unknown = parsedJson(content);
    checkRule(file !== undefined, 'must hold JSON');
    checkExactShape(signInFileShape, file, '');
    const given = file as Omit<SignInSettings, 'rules'> & { readonly rules: readonly unknown[] };
    const rules: readonly IssuerRule[] = checkedRules(given.rules, 'rules');
    return completedSignIn({ ...given, rules });
  } catch (error) {
    throw error instanceof DomainError ? fileError(SIGN_IN_FILE, error.message) : error;
  }
}
