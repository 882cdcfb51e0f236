import { button, h } from './dom.ts';

/** How much a step is larger than the one before, and the limits of sizes. */
const [step, smallest, largest] = [1.25, 0.1, 3];

/** Makes a drawing larger and smaller, around the middle of the visible part. */
export class Zoom {
  readonly buttons: HTMLElement;
  readonly #box: HTMLElement;
  #scale = 1;

  /** @param box The box around the drawing, which scrolls. */
  constructor(box: HTMLElement) {
    this.#box = box;
    this.buttons = h(
      'p',
      { class: 'tools zoom' },
      button({ class: 'chip', 'aria-label': 'Smaller' }, () => this.#to(this.#scale / step), '−'),
      button({ class: 'chip', 'aria-label': 'Larger' }, () => this.#to(this.#scale * step), '+'),
      button({ class: 'chip' }, () => this.#to(this.#whole()), 'Fit'),
    );
  }

  /** Gives a drawing that is new in the box the chosen size. */
  apply(): void {
    const drawing = this.#box.querySelector('svg');
    if (drawing === null) return;
    const { width, height } = drawing.viewBox.baseVal;
    drawing.setAttribute('width', String(width * this.#scale));
    drawing.setAttribute('height', String(height * this.#scale));
  }

  #to(scale: number): void {
    const box = this.#box;
    const [x, y] = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2];
    const next = Math.min(largest, Math.max(smallest, scale));
    const by = next / this.#scale;
    this.#scale = next;
    this.apply();
    box.scrollTo(x * by - box.clientWidth / 2, y * by - box.clientHeight / 2);
  }

  /** Returns the size that makes the whole drawing visible, but never enlarges it. */
  #whole(): number {
    const { width = 1, height = 1 } = this.#box.querySelector('svg')?.viewBox.baseVal ?? {};
    return Math.min(1, this.#box.clientWidth / width, this.#box.clientHeight / height);
  }
}
