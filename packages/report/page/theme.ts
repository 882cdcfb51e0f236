import { button } from './dom.ts';

const key = 'policy-machinery-theme';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Names the last button again. */
let rename = (): void => {};
systemIsDark.addEventListener('change', () => rename());

/** Returns a button that switches between light and dark. Until it is used, the page follows the system. */
export function themeButton(): HTMLButtonElement {
  const root = document.documentElement;
  const isDark = (): boolean =>
    root.dataset.theme === 'dark' || (root.dataset.theme === undefined && systemIsDark.matches);
  const remembered = read();
  if (remembered === 'light' || remembered === 'dark') root.dataset.theme = remembered;
  const made = button({ class: 'theme' }, () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    write(root.dataset.theme);
    name();
  });
  const name = (): void => {
    made.textContent = isDark() ? 'Light' : 'Dark';
    made.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`);
  };
  rename = name;
  name();
  return made;
}

/** Reads the stored choice. Browsers may refuse storage to a page that was opened from a file. */
function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The page works without storage.
  }
}
