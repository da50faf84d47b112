import type { ComponentChildren } from 'preact';
import type { Group, JobSummary } from '../../typescript/src/api.ts';

/** The properties that many parts of pages have. */
interface Known {
  /** The name of a queue. */
  readonly queue: string;
  readonly id: string;
  readonly job: JobSummary;
  readonly group: Group;
  readonly label: string;
  readonly title: string;
  readonly name: string;
  readonly text: string;
  /** In the API. */
  readonly path: string;
  /** Of a field, and what is called with another. */
  readonly value: string;
  readonly change: (value: string) => void;
  readonly close: () => void;
  /** Called after a change, so that the page reads its data again. */
  readonly saved: () => void;
  readonly done: () => void;
  readonly refresh: () => void;
  readonly children: ComponentChildren;
}

/** The properties with these names, and some more. */
export type With<Name extends keyof Known, More = unknown> = Pick<Known, Name> & Readonly<More>;
