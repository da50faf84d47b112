import type { VNode } from 'preact';
import type { Published } from '../../../typescript/src/api.ts';
import { useAnswer } from '../../api/answer.ts';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { RequestShown } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDraft } from '../../parts/draft.ts';
import { Field } from '../../parts/fields.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { attempted } from '../queue/add-job.tsx';

/** A form that shows which subscriptions a message would match; nothing is added. */
export function TryMessage({ topic }: { readonly topic: string }): VNode {
  const { draft, field } = useDraft({ name: '', data: '{}' });
  const { name, data } = draft;
  const request = attempted((): ApiRequest => ({
    method: 'POST',
    path: `${apiPath('topics', topic)}?dryRun=true`,
    body: { name, data: JSON.parse(data) as unknown },
  }));
  const { answer: published, problem, ask } = useAnswer<Published>(request);
  const matched = Object.entries(published?.matched ?? {});
  return (
    <Card title="Try a message">
      <Field label="Name" autocomplete="off" {...field('name')} />
      <JsonField label="Data, as JSON" rows={6} {...field('data')} />
      <Button onClick={() => void ask()}>Try</Button>
      <Problem>{problem}</Problem>
      {published && (
        <p role="status">
          {matched.length === 0
            ? 'It would add no job.'
            : `It would add ${matched.map(([id, { queue }]) => `${id} (${queue})`).join(', ')}.`}
          {published.skipped.length > 0 && ` Skipped: ${published.skipped.join(', ')}.`}
        </p>
      )}
      {request && <RequestShown request={request} />}
    </Card>
  );
}
