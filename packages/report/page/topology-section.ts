import type { Report } from '../src/lib/data/report.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { type Child, h } from './dom.ts';
import { drawingView } from './drawing-view.ts';
import type { Page } from './page.ts';
import { chosenConcern, shadeLegend } from './shades.ts';

/** How many targets are drawn at once at most. */
const mostAtOnce = 2_000;

/** Returns the section with a drawing of the whole topology, or of one Gateway. */
export function topologySection(page: Page): HTMLElement {
  const { report } = page;
  const roots = rootsOf(report);
  const isSmall = report.data.targets.filter((row) => row !== null).length <= mostAtOnce;
  const options = [
    ...(isSmall || roots.length === 0 ? [h('option', { value: 'all' }, 'Everything')] : []),
    ...roots.map((id) => h('option', { value: id }, report.node(id).label)),
  ];
  const choice = h('select', { id: 'drawn' }, options);
  const drawn = options.find(({ text }) => text === page.chosen.drawn);
  if (drawn !== undefined) drawn.selected = true;
  const holder = h('div', {});
  const draw = (): void => {
    const around = choice.value === 'all' ? report.nodes.map(({ id }) => id) : [Number(choice.value)];
    holder.replaceChildren(drawingView(page, { around }));
  };
  choice.addEventListener('change', () => {
    page.chosen.drawn = choice.selectedOptions[0]?.text;
    draw();
  });
  draw();
  const wanted = h('input', { type: 'search', 'aria-label': 'Find in the drawing', placeholder: 'Find an object' });
  wanted.addEventListener('change', () => {
    const id = targetNamed(page, wanted.value);
    if (id === undefined) draw();
    else holder.replaceChildren(drawingView(page, { around: [id], focus: id }));
  });
  const chooser = h('p', { class: 'tools' }, h('label', { for: 'drawn' }, 'Show'), ' ', choice, wanted, legend());
  return h('section', { id: 'topology' }, h('h2', {}, 'Topology'), chooser, stripesLegend(page), holder);
}

/** Returns the target that a text means: the first one that is suggested for it. */
function targetNamed({ questions, suggestions }: Page, text: string): NodeId | undefined {
  for (const suggestion of suggestions.for(text, 20)) {
    const question = questions.read(suggestion.text);
    if (question.about === 'target') return question.node;
  }
  return undefined;
}

/** Returns the legend of the stripes of routes and Gateways; nothing without stripes. */
function stripesLegend(page: Page): Child {
  const { protection } = page;
  if (protection.routes.length === 0) return undefined;
  const concern = chosenConcern(page);
  const legend = shadeLegend(protection.counts(protection.routes, concern));
  legend.prepend(`Stripes show ${protection.concerns[concern]?.title}:`);
  return legend;
}

/** Returns the Gateways. If there are none, returns the objects that have others below and none above. */
function rootsOf(report: Report): readonly NodeId[] {
  const gateways = report.objects.filter((id) => /^Gateway(?:\.|$)/.test(report.kindOf(id)));
  if (gateways.length > 0) return gateways;
  const objects = report.objects.map((id) => report.node(id));
  return objects.flatMap(({ id, up, down }) => (up.length === 0 && down.length > 0 ? id : []));
}

function legend(): HTMLElement {
  const item = (tone: string, text: string) => h('span', { class: `outcome ${tone}` }, text);
  return h(
    'span',
    { class: 'legend' },
    item('good', 'enforced'),
    item('part', 'in part'),
    item('lost', 'overridden'),
    item('bad', 'not in force'),
  );
}
