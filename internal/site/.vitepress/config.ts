import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../../checks/docs/markdown.ts';
import { root } from '../../checks/files.ts';
import { diagramOnPage } from '../src/diagrams.ts';
import { linkOnSite, sourceOf } from '../src/pages.ts';
import { sidebar } from '../src/sidebar.ts';

const { version } = JSON.parse(readFileSync(`${root}packages/policy-machinery/package.json`, 'utf8'));
const { repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const web: string | undefined = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** All that the pages load is on the site itself. */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** On a narrow screen, the links above a page need the room of the keys for its search. */
const narrow =
  '@media (min-width: 768px) and (max-width: 880px) { .VPNavBarSearch .DocSearch-Button-Keys { display: none } .VPNavBarMenuLink.VPNavBarMenuLink { padding: 0 8px } }';

export default defineConfig({
  title: 'policy-machinery',
  description: 'A toolkit for Kubernetes policy controllers: what applies where, who set it, and who lost.',
  lang: 'en',
  srcDir: 'content',
  outDir: 'dist',
  // A site may be in a folder of its host.
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: true,
  // Written beside the pages: the reference of the API, and the playground.
  ignoreDeadLinks: [/^\/(?:api|playground)\//],
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: policy }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.SITE_BASE ?? '/'}mark.svg` }],
    ['style', {}, narrow],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    config(md) {
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info = '', content = '' } = tokens[index] ?? {};
        if (info.trim() === 'mermaid') return diagramOnPage(content, `diagram-${index}`);
        return fence?.(tokens, index, ...rest) ?? '';
      };
      // Documents link to files of the repository; some of these are pages here.
      md.core.ruler.push('links_on_site', ({ tokens, env }) => {
        const from = sourceOf(env.relativePath);
        for (const { children } of from === undefined ? [] : tokens) {
          for (const token of children ?? []) {
            const target = token.type === 'link_open' ? token.attrGet('href') : null;
            if (target === null) continue;
            const link = linkOnSite(`${from}`, target, web);
            if (link === undefined) token.attrs = [['class', 'no-link']];
            else token.attrSet('href', link);
          }
        }
      });
    },
  },
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'gwpolicy', link: '/packages/cli/' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      {
        text: version,
        items: [
          { text: 'Semantics', link: '/docs/semantics' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
        ],
      },
    ],
    sidebar: sidebar() as DefaultTheme.SidebarItem[],
    search: { provider: 'local' },
    outline: [2, 3],
    ...(web === undefined ? {} : { socialLinks: [{ icon: 'github', link: web }] }),
  },
});
