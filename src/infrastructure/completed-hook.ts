import type { HookInput } from '../domain/hooks/hook.ts';

/** A hook as the service stores it; the body itself where it breaks a rule, for which the service refuses it. */
export async function completedHook(
  body: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const [{ checkedHook }, { DomainError }] = await Promise.all([
    import('../domain/hooks/hook.ts'),
    import('../domain/errors.ts'),
  ]);
  try {
    return { ...checkedHook(body as unknown as HookInput) };
  } catch (error) {
    if (error instanceof DomainError) return body;
    throw error;
  }
}
