import { readFile } from 'node:fs/promises';
import { UsageError } from '../../clients/command-line/input/usage-error.ts';
import type { SignIns } from '../../clients/command-line/sign-ins.ts';
import { admissionOf } from '../domain/access/admission.ts';
import type { SignInSettings } from '../domain/access/sign-in.ts';
import type { IssuerRule } from '../domain/access/token-issuer.ts';
import { isObject, parsedJson } from '../domain/values/json.ts';
import { ConfigError } from './config/config-error.ts';

/** Sign-ins as commands try them, by the very rules of the service. */
export const signInsOfCommands: SignIns = {
  check: async (claimsFile, signInFile) => {
    const claims = parsedJson(await textOf(claimsFile));
    if (!isObject(claims)) throw new UsageError(`${claimsFile} must hold a JSON object of claims`);
    const { rules: known } = await settingsOf(signInFile);
    const { rule, ...admission } = admissionOf(known, claims);
    return { match: rule === undefined ? null : accessOf(rule), ...admission };
  },
};

function accessOf({ name, rights, queues }: IssuerRule) {
  return { name, rights, queues: queues ?? null };
}

async function settingsOf(path: string): Promise<SignInSettings> {
  const { parseSignIn } = await import('./config/sign-in-file.ts');
  const content = await textOf(path);
  try {
    return parseSignIn(content);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read (${String((error as NodeJS.ErrnoException).code)})`,
    );
  }
}
