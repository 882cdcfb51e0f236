import { isToken, type Kubeconfig } from '../src/lib/sign-in/kubeconfig.ts';
import { button, h } from './dom.ts';
import type { Session } from './session.ts';

declare global {
  /** Reads a kubeconfig. The script for it is only on pages that ask who looks at them. */
  var readKubeconfig: ((text: string) => Kubeconfig) | undefined;
}

/** The longest file that is looked at, in bytes. */
const longest = 1 << 20;

/**
 * Asks the viewer for a token, or for a kubeconfig that has one. The file is read in the page, and only the token is sent.
 *
 * @param session The requests of the page, which have the token then.
 * @param fault Why the viewer is asked again. Default: it is the first time.
 * @returns Resolves when there is a token.
 */
export function signIn(session: Session, fault = ''): Promise<void> {
  return new Promise((resolve) => {
    const says = h('p', { role: 'alert', id: 'sign-in-fault' }, fault);
    const tell = (text: string): void => {
      says.textContent = text;
    };
    const use = (token: string): void => {
      if (!isToken(token)) tell('This is no bearer token: it has characters that no token has.');
      else {
        session.signIn(token);
        view.remove();
        resolve();
      }
    };
    const view = h('main', { id: 'sign-in' }, h('h1', {}, 'Whose policies?'), ...explanation(), says);
    if (isSecureContext)
      view.append(byToken(use), ...(globalThis.readKubeconfig === undefined ? [] : [byFile(use, tell)]));
    else
      tell(
        'This page came without encryption, so a token would not be safe. Open it by https, or on the machine that serves it.',
      );
    document.body.append(view);
    view.querySelector('input')?.focus();
    document.documentElement.dataset.ready = 'sign-in';
  });
}

function explanation(): readonly HTMLElement[] {
  return [
    h(
      'p',
      {},
      'This page shows what you may read in the cluster. It needs a token of yours that the cluster’s API server accepts.',
    ),
    h(
      'p',
      { class: 'quiet' },
      'The token stays in this tab until you close or reload it, and goes to the server of this page alone, which asks the API server what you may list.',
    ),
  ];
}

function byToken(use: (token: string) => void): HTMLElement {
  const input = h('input', { id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false' });
  const go = h('button', { class: 'primary', id: 'use-token' }, 'Show');
  const form = h(
    'form',
    { class: 'field' },
    h('label', { for: 'token' }, 'Bearer token'),
    h('span', { class: 'box' }, input, go),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault(); // Nothing is sent but by the page's own requests.
    use(input.value.trim());
  });
  return form;
}

function byFile(use: (token: string) => void, tell: (text: string) => void): HTMLElement {
  const input = h('input', { id: 'kubeconfig', type: 'file' });
  const choice = h('span', { class: 'box', id: 'contexts' });
  const read = async (file: File): Promise<void> => {
    choice.replaceChildren();
    const reading = file.size > longest ? undefined : globalThis.readKubeconfig?.(await file.text());
    tell(reading === undefined ? 'This file is too large for a kubeconfig.' : (reading.fault ?? ''));
    if (reading === undefined || reading.fault !== undefined) return;
    const { contexts } = reading;
    const select = h(
      'select',
      { 'aria-label': 'Context' },
      contexts.map(({ name }, at) => h('option', { value: at }, name)),
    );
    const chosen = () => contexts[Number(select.value)];
    const go = button({ class: 'primary', id: 'use-context' }, () => use(chosen()?.token ?? ''), 'Show');
    const look = (): void => {
      const { why } = chosen() ?? {};
      tell(why ?? '');
      go.disabled = why !== undefined;
    };
    select.addEventListener('change', look);
    choice.append(select, go);
    look();
  };
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void read(file);
  });
  const hint = h(
    'span',
    { class: 'quiet' },
    'It is read here, and only the token of the context that you choose is sent.',
  );
  return h('p', { class: 'field' }, h('label', { for: 'kubeconfig' }, 'Or a kubeconfig'), input, hint, choice);
}
