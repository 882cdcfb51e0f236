const usable = 'a, button, select, input';

/** Replaces parts of the page. Scroll positions stay, and the focused element keeps the focus, if it still exists. */
export function keepingPlace(replace: () => void): void {
  const [scrollLeft, scrollTop] = [scrollX, scrollY];
  const focused = document.activeElement;
  const wanted = focused?.matches(usable) === true ? nameOf(focused) : undefined;
  const boxes = new Map(scrolled().map(({ name, box }) => [name, [box.scrollLeft, box.scrollTop] as const]));
  replace();
  if (wanted !== undefined && focused?.isConnected === false) {
    const same = [...document.querySelectorAll<HTMLElement>(usable)].find((it) => nameOf(it) === wanted);
    same?.focus({ preventScroll: true });
  }
  scrollTo(scrollLeft, scrollTop);
  const scroll = (): void => {
    for (const { name, box } of scrolled())
      box.scrollTo(...(boxes.get(name) ?? ([box.scrollLeft, box.scrollTop] as const)));
  };
  scroll();
  requestAnimationFrame(scroll); // A new drawing scrolls to its start in the next frame.
}

let isHeld = false;
addEventListener('pointerdown', () => (isHeld = true), { capture: true });
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => (isHeld = false), { capture: true });

/**
 * Waits while a button of the mouse or a finger is down: otherwise the pressed element would be gone at the release,
 * and nothing would be clicked.
 */
export async function whileNothingIsHeld(): Promise<void> {
  while (isHeld) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Returns the name of an element, which is the same for the element that takes its place. */
function nameOf(element: Element): string {
  const link = element.getAttribute('href') ?? element.id;
  return [partOf(element), element.tagName, link, link === '' ? element.textContent : ''].join(' ');
}

function partOf(element: Element): string {
  return element.closest('section[id], #answer')?.id ?? '';
}

function scrolled() {
  const counts = new Map<string, number>();
  return [...document.querySelectorAll('.scroll')].map((box) => {
    const part = partOf(box);
    const place = counts.get(part) ?? 0;
    counts.set(part, place + 1);
    return { name: `${part} ${place}`, box };
  });
}
