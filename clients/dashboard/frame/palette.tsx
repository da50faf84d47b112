import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { QueuesPage } from '../../typescript/src/api.ts';
import { withQuery } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { goTo, pageLink } from '../navigation/route.ts';
import { Form, Modal } from '../parts/dialog.tsx';
import { Quiet } from '../parts/button.tsx';
import { PAGES } from './pages.ts';

const SHOWN = 8;

/**
 * Goes to a page, to a queue by the beginning of its name, or to a job as `queue/id`; and runs the actions of the page
 * behind it.
 */
export function Palette({ close }: { readonly close: () => void }): VNode {
  const [text, setText] = useState('');
  const [queue = '', id] = split(text.trim());
  const [offered] = useState(actionsOfPage);
  const found = useResource<QueuesPage>(
    withQuery('queues', { name: queue === '' ? '' : `${queue}*`, length: SHOWN }),
  );
  const isTyped = (name: string): boolean => name.toLowerCase().startsWith(queue.toLowerCase());
  const pages = PAGES.filter(({ name }) => isTyped(name));
  const actions = id === undefined ? offered.filter(({ textContent }) => isTyped(textContent)) : [];
  const queues = found.data?.queues ?? [];
  const targets: readonly (readonly [name: string, link: string])[] =
    id === undefined
      ? [
          ...(queue === ''
            ? []
            : queues.map(({ name }) => [name, pageLink(['queues', name])] as const)),
          ...pages.map(({ name, path }) => [name, pageLink(path)] as const),
        ]
      : [[`Job ${id} of ${queue}`, pageLink(['queues', queue, 'jobs', id])]];
  const open = (link: string): void => {
    close();
    goTo(link);
  };
  const act = (button: HTMLButtonElement): void => {
    close();
    // The dialog has to return the focus first.
    setTimeout(() => button.click());
  };
  return (
    <Modal title="Go to" close={close}>
      <Form
        submit={() => {
          const [first] = targets;
          const [action] = actions;
          if (first !== undefined) open(first[1]);
          else if (action !== undefined) act(action);
        }}
      >
        <input
          type="text"
          aria-label="A page, a queue, or queue/id"
          placeholder="A page, a queue, or queue/id"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ul class="targets">
          {targets.map(([name, link]) => (
            <li key={link}>
              <a href={link} onClick={close}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
          {actions.map((button) => (
            <li key={button.textContent}>
              <Quiet onClick={() => act(button)}>{button.textContent}</Quiet>
            </li>
          ))}
        </ul>
      </Form>
    </Modal>
  );
}

/** The buttons of the actions on the subject of the page. */
function actionsOfPage(): readonly HTMLButtonElement[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>(
    '.page-head .buttons button:enabled',
  );
  return [...buttons].filter(({ ariaLabel }) => ariaLabel === null);
}

function split(text: string): readonly string[] {
  const slash = text.indexOf('/');
  return slash === -1 ? [text] : [text.slice(0, slash), text.slice(slash + 1)];
}
