import {
  completedSignIn,
  signInFileShape,
  type SignInFile,
  type SignInSettings,
} from '../../domain/access/sign-in.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import { readJson } from './file-entries.ts';
import { checkRules } from './jwt-issuers-file.ts';

/** The variable that names the file. */
export const SIGN_IN_FILE = 'SIGN_IN_FILE';

/**
 * Reads `SIGN_IN_FILE` (further contract, section 25).
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseSignIn(content: string): SignInSettings {
  return readJson(SIGN_IN_FILE, content, (file) => {
    checkExactShape(signInFileShape, file, '');
    const settings = completedSignIn(file as SignInFile);
    checkRules(settings.rules, 'rules');
    return settings;
  });
}
