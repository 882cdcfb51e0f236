import { button, h } from './dom.ts';
import type { Page } from './page.ts';

/** How many suggestions are shown at most. */
const mostSuggestions = 8;

/**
 * The box where users ask questions: a combobox with suggestions, as the ARIA practices describe it. Pressing `/` anywhere on the page moves the
 * focus there.
 */
export class AskBox {
  readonly element: HTMLElement;
  readonly #pageNow: () => Page;
  readonly #ask: (text: string) => void;
  readonly #input = h('input', {
    ...{ id: 'ask', type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    ...{ 'aria-expanded': 'false', 'aria-controls': 'suggestions', 'aria-autocomplete': 'list', enterkeyhint: 'go' },
    placeholder: 'HTTPRoute shop/cart, a policy, or GET https://shop.example.com/cart',
  });
  readonly #list = h('ul', { id: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
  #active = -1;

  /**
   * @param pageNow Returns the page. Its data may change.
   * @param ask Called with the text of each question.
   */
  constructor(pageNow: () => Page, ask: (text: string) => void) {
    this.#pageNow = pageNow;
    this.#ask = ask;
    this.#followKeys();
    this.#input.addEventListener('input', () => this.#show(this.#suggested()));
    this.#input.addEventListener('blur', () => this.#show([]));
    const label = h('label', { for: 'ask' }, 'What applies to …');
    const go = button({ class: 'primary' }, () => this.#choose(this.#meant(this.#input.value)), 'Ask');
    const slash = h('kbd', { 'aria-hidden': 'true' }, '/');
    const box = h('div', { class: 'box' }, this.#input, slash, go, this.#list);
    this.element = h('div', { class: 'ask', role: 'search' }, label, box);
  }

  /** Shows a question that was asked elsewhere, such as by a link. */
  set(text: string): void {
    this.#input.value = text;
    this.#show([]);
  }

  #choose(text: string): void {
    this.set(text);
    this.#ask(text);
  }

  /** Returns a question, and of a text that is none the first suggestion. */
  #meant(text: string): string {
    const { questions, suggestions } = this.#pageNow();
    const isQuestion = text.trim() === '' || questions.read(text).about !== 'nothing';
    return isQuestion ? text : (suggestions.for(text, 1)[0]?.text ?? text);
  }

  #suggested(): readonly HTMLElement[] {
    const suggestions = this.#pageNow().suggestions.for(this.#input.value, mostSuggestions);
    return suggestions.map(({ text, type }, index) => {
      const attributes = { role: 'option', id: `suggestion-${index}`, 'aria-selected': 'false' };
      const option = h('li', attributes, h('span', {}, text), h('span', { class: 'type' }, type));
      option.addEventListener('pointerdown', (event) => event.preventDefault()); // The focus stays in the box.
      option.addEventListener('click', () => this.#choose(text));
      return option;
    });
  }

  /** Shows options, and activates none of them. Without any, the list is closed. */
  #show(options: readonly HTMLElement[]): void {
    this.#list.replaceChildren(...options);
    this.#list.hidden = options.length === 0;
    this.#active = -1;
    this.#input.setAttribute('aria-expanded', String(options.length > 0));
    this.#input.removeAttribute('aria-activedescendant');
  }

  #move(by: number): void {
    if (this.#list.hidden) this.#show(this.#suggested());
    const options = [...this.#list.children];
    const { length } = options;
    if (length === 0) return;
    this.#active = this.#active < 0 ? (by > 0 ? 0 : length - 1) : (this.#active + by + length) % length;
    for (const [index, option] of options.entries())
      option.setAttribute('aria-selected', String(index === this.#active));
    this.#input.setAttribute('aria-activedescendant', `suggestion-${this.#active}`);
  }

  #followKeys(): void {
    const input = this.#input;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      Enter: () =>
        this.#choose(this.#list.children[this.#active]?.firstElementChild?.textContent ?? this.#meant(input.value)),
      Escape: () => this.set(this.#list.hidden ? '' : input.value),
    };
    input.addEventListener('keydown', (event) => {
      const act = actions[event.key];
      if (act === undefined || event.isComposing) return;
      event.preventDefault();
      act();
    });
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
      input.select();
    });
  }
}
