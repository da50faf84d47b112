import type { VNode } from 'preact';
import { percentage } from '../format/number.tsx';

/** The share of failures from which on it is highlighted. */
const MANY = 0.2;

/** The share of jobs or calls that failed, in the colour of failures if it is large; null if none ran. */
export function FailureRate({ value }: { readonly value: number | null }): VNode {
  return (
    <span class={(value ?? 0) >= MANY ? 'number state-failed' : 'number'}>{percentage(value)}</span>
  );
}
