import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Job } from '../../../typescript/src/api.ts';
import { apiPath, call, send } from '../../api/request.ts';
import { may } from '../../api/session.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { RightButton, toastFailure } from '../../parts/action.tsx';
import { AddJobDialog, type JobDraft } from '../queue/add-job.tsx';
import type { With } from '../../parts/properties.ts';

/** Adds a job with the name, the data and the options of this one, which can be edited first. */
export function Duplicate({ queue, job: { id, name } }: With<'queue' | 'job'>): VNode {
  const [draft, setDraft] = useState<JobDraft | undefined>();
  const path = apiPath('queues', queue, 'jobs', id);
  const open = async (): Promise<void> => {
    try {
      const [job, data] = await Promise.all([
        call<Job>({ method: 'GET', path }),
        may('data') ? send({ method: 'GET', path: `${path}/data` }) : undefined,
      ]);
      // An id belongs to one job, and a delay of zero means no delay.
      const options = Object.entries(job.opts).filter(
        ([option, value]) => option !== 'jobId' && !(option === 'delay' && value === 0),
      );
      setDraft({
        name,
        data: (await data?.text()) ?? '{}',
        options: JSON.stringify(Object.fromEntries(options)),
      });
    } catch (error) {
      toastFailure(error, { method: 'GET', path });
    }
  };
  return (
    <>
      <RightButton right="add" onClick={() => void open()}>
        Duplicate …
      </RightButton>
      {draft && (
        <AddJobDialog
          queue={queue}
          draft={draft}
          added={(added) => goTo(pageLink(['queues', queue, 'jobs', added]))}
          close={() => setDraft(undefined)}
        />
      )}
    </>
  );
}
