import { button, h } from './dom.ts';
import type { Page } from './page.ts';

/** How many suggestions are shown at most. */
const mostSuggestions = 8;

/** The box in which users ask questions. */
export interface AskBox {
  readonly element: HTMLElement;
  /** Shows a question that was asked elsewhere, such as by a link. */
  readonly set: (text: string) => void;
}

/**
 * Creates the question box: a combobox with suggestions, as the ARIA practices describe it. Pressing `/` anywhere on the page moves the focus there.
 *
 * @param pageNow Returns the page, whose data may change.
 * @param ask Called with the text of each question.
 */
export function askBox(pageNow: () => Page, ask: (text: string) => void): AskBox {
  const input = h('input', {
    ...{ id: 'ask', type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    ...{ 'aria-expanded': 'false', 'aria-controls': 'suggestions', 'aria-autocomplete': 'list', enterkeyhint: 'go' },
    placeholder: 'HTTPRoute shop/cart, a policy, or GET https://shop.example.com/cart',
  });
  const list = h('ul', { id: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions' });
  list.hidden = true;
  let active = -1;

  const close = (): void => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (text: string): void => {
    input.value = text;
    close();
    ask(text);
  };
  const suggest = (): void => {
    const found = pageNow().suggestions.for(input.value, mostSuggestions);
    const options = found.map(({ text, type }, index) => {
      const option = h(
        'li',
        { role: 'option', id: `suggestion-${index}`, 'aria-selected': 'false' },
        h('span', {}, text),
        h('span', { class: 'type' }, type),
      );
      option.addEventListener('pointerdown', (event) => event.preventDefault()); // The focus stays in the box.
      option.addEventListener('click', () => choose(text));
      return option;
    });
    list.replaceChildren(...options);
    active = -1;
    list.hidden = options.length === 0;
    input.setAttribute('aria-expanded', String(options.length > 0));
    input.removeAttribute('aria-activedescendant');
  };
  const move = (by: number): void => {
    if (list.hidden) suggest();
    const { length } = list.children;
    if (length === 0) return;
    active = active < 0 ? (by > 0 ? 0 : length - 1) : (active + by + length) % length;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === active));
    input.setAttribute('aria-activedescendant', `suggestion-${active}`);
  };

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => choose(list.children[active]?.firstElementChild?.textContent ?? input.value),
    Escape: () => {
      if (list.hidden) input.value = '';
      close();
    },
  };
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (act === undefined || event.isComposing) return;
    event.preventDefault();
    act();
  });
  input.addEventListener('input', suggest);
  input.addEventListener('blur', close);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  const label = h('label', { for: 'ask' }, 'What applies to …');
  const go = button({ class: 'primary' }, () => choose(input.value), 'Ask');
  const element = h(
    'div',
    { class: 'ask', role: 'search' },
    label,
    h('div', { class: 'box' }, input, h('kbd', { 'aria-hidden': 'true' }, '/'), go, list),
  );
  return {
    element,
    set: (text) => {
      input.value = text;
      close();
    },
  };
}
