import { UsageError } from '../../clients/command-line/input/usage-error.ts';
import type { SignIns } from '../../clients/command-line/sign-ins.ts';
import { admissionOf } from '../domain/access/admission.ts';
import { ConfigError } from './config/config-error.ts';

/** Sign-ins as commands try them, by the very rules of the service. */
export const signInsOfCommands: SignIns = {
  check: async (claims, file) => {
    const { parseSignIn } = await import('./config/sign-in-file.ts');
    try {
      return admissionOf(parseSignIn(file), claims);
    } catch (error) {
      throw error instanceof ConfigError ? new UsageError(error.message) : error;
    }
  },
};
