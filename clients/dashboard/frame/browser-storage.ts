/** The value that this browser keeps under a name, or the fallback. */
export function kept<T>(name: string, fallback: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`jobgate-${name}`) ?? 'null') as T | null) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Keeps a value as JSON; without storage, the value lasts as long as the page. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`jobgate-${name}`, JSON.stringify(value));
  } catch {
    // Some browsers refuse storage to pages that they do not trust.
  }
}
