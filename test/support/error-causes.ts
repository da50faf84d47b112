import Mocha from 'mocha';

/**
 * Mocha root plugin (`require` in the configurations): a file of a parallel run passes its failures on with their
 * enumerable properties alone, which the cause of an error is not. Without it "The store is unavailable" is all
 * that is printed.
 */
const { fail } = Mocha.Runner.prototype as unknown as { fail: Fail };

type Fail = (this: Mocha.Runner, runnable: Mocha.Runnable, error: unknown, force?: boolean) => void;

Object.assign(Mocha.Runner.prototype, {
  fail(this: Mocha.Runner, runnable: Mocha.Runnable, error: unknown, force?: boolean): void {
    if (error instanceof Error && error.cause !== undefined) {
      Object.defineProperty(error, 'cause', { enumerable: true });
    }
    fail.call(this, runnable, error, force);
  },
});
