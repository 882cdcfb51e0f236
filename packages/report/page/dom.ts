/** A child of an element: an element, text, or a list of children. */
export type Child = Node | string | undefined | readonly Child[];

/** Attributes by name; those that are `undefined` or `false` are left out, and `true` attributes are written without a value. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function fill<Made extends Element>(element: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    if (typeof child === 'string') element.append(child);
    else if (child instanceof Node) element.append(child);
    else append(element, child);
  }
}

/** Creates an HTML element. Text stays text and never becomes markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Creates a button that calls a function. */
export function button(attributes: Attributes, act: () => void, ...children: readonly Child[]): HTMLButtonElement {
  const made = h('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', act);
  return made;
}

export function joined(children: readonly Child[], between: string): readonly Child[] {
  return children.flatMap((child, index) => (index === 0 ? [child] : [between, child]));
}

/** Returns a number with its noun: `1 target`, `2 targets`. */
export function count(some: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${grouped(some)} ${some === 1 || some === 1n ? singular : plural}`;
}

const numbers = new Intl.NumberFormat('en');

/** Returns a number with its digits in groups: `5,000`. */
export function grouped(some: number | bigint): string {
  return numbers.format(some);
}
