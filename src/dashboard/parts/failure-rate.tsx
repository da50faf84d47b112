import type { VNode } from 'preact';
import { percentage } from '../format/number.tsx';

/** A share of failures that people should see. */
const MANY = 0.2;

/** The share of jobs or calls that failed, in the colour of failures where many did; null where none ran. */
export function FailureRate({ value }: { readonly value: number | null }): VNode {
  return (
    <span class={(value ?? 0) >= MANY ? 'number state-failed' : 'number'}>{percentage(value)}</span>
  );
}
