import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundlePlugin } from '../../../examples/headlamp/src/bundle.ts';

const { resolve } = createRequire(import.meta.url);

/** React and React DOM as scripts, which their packages have beside what they export. */
function scriptOf(name: string): string {
  return readFileSync(join(dirname(resolve(name)), `umd/${name}.production.min.js`), 'utf8');
}

/**
 * What Headlamp gives a plugin, as far as the example asks for it: its registry, its requests, two of its components, and React. `show` draws the
 * page of an object, with the sections that the plugin has registered.
 */
const host = `
  const sections = [];
  const { createElement } = React;
  window.pluginLib = {
    React,
    registerDetailsViewSection: (section) => sections.push(section),
    ApiProxy: {
      request: async (path) => {
        if (window.refused === path) throw Object.assign(new Error('Forbidden'), { status: 403 });
        if (!(path in recorded)) throw Object.assign(new Error('Not found'), { status: 404 });
        return recorded[path];
      },
    },
    CommonComponents: {
      SectionBox: ({ title, children }) => createElement('section', {}, createElement('h2', {}, title), children),
      SimpleTable: ({ columns, data }) =>
        createElement('table', {},
          createElement('thead', {}, createElement('tr', {}, columns.map(({ label }) => createElement('th', { key: label }, label)))),
          createElement('tbody', {}, data.map((row, index) =>
            createElement('tr', { key: index }, columns.map(({ label, getter }) => createElement('td', { key: label }, getter(row)))))),
        ),
    },
  };
  const root = ReactDOM.createRoot(document.getElementById('page'));
  window.show = (jsonData) => {
    const resource = { jsonData };
    root.render(createElement('main', {}, createElement('h1', {}, jsonData.metadata.name),
      sections.map((Section, index) => createElement(Section, { key: index, resource }))));
  };
`;

/** Returns a page with the host, the plugin and the recorded answers of an API server. */
export async function headlampPage(): Promise<string> {
  const recorded = readFileSync(new URL('../../../examples/headlamp/cluster.json', import.meta.url), 'utf8');
  const scripts = [
    scriptOf('react'),
    scriptOf('react-dom'),
    `const recorded = ${recorded};`,
    host,
    await bundlePlugin(),
  ];
  const elements = scripts.map((script) => `<script>${script.replaceAll('</script', '<\\/script')}</script>`);
  return `<!doctype html><meta charset="utf-8"><title>Host</title><div id="page"></div>${elements.join('\n')}`;
}
