import { readFileSync } from 'node:fs';
import { root } from '../../checks/files.ts';
import { linkOnSite, pages } from './pages.ts';

/** A group of the navigation, as VitePress has it. */
export interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Returns the navigation: the documents in the order of `docs/README.md`, then packages and examples in that of the README. */
export function sidebar(): readonly Group[] {
  return [
    ...groupsIn('docs/README.md', /^/),
    ...groupsIn('README.md', /^(?:Packages|Examples)$/).map((group) => ({ ...group, collapsed: true })),
  ];
}

/** Returns a group for each section with a table of documents. A document that several sections name is in the first one. */
function groupsIn(path: string, headings: RegExp): readonly Group[] {
  const seen = new Set<string>();
  const [, ...sections] = readFileSync(root + path, 'utf8').split(/^## /m);
  return sections.flatMap((section) => {
    const [text = ''] = section.split('\n', 1);
    if (!headings.test(text)) return [];
    const rows = section.split('\n').filter((line) => line.startsWith('| '));
    const links = rows.map((row) => /\[([^\]]+)\]\(([^)#]+)\)/.exec(row) ?? []);
    const items = links.flatMap(([, title = '', target = '']) => {
      const link = linkOnSite(path, target, undefined);
      if (link === undefined || seen.has(link) || !isPage(link)) return [];
      seen.add(link);
      return [{ text: title.replaceAll('`', ''), link }];
    });
    return items.length === 0 ? [] : [{ text, items }];
  });
}

function isPage(link: string): boolean {
  const page = link.slice(1);
  return [...pages.values()].includes(page === '' || page.endsWith('/') ? `${page}index.md` : `${page}.md`);
}
