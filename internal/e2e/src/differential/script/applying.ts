import { apply, condition, patch, type Requests, status } from '../requests.ts';
import { widget, widgets } from '../widgets.ts';

/** Server-side apply. */
export const applying: Requests = {
  'an apply creates an object': apply(widgets('applied'), 'one', widget('applied', { size: 1, colour: 'red' })),
  'an apply changes nothing': apply(widgets('applied'), 'one', widget('applied', { size: 1, colour: 'red' })),
  'an apply conflicts': apply(widgets('applied'), 'two', widget('applied', { size: 2 })),
  'an apply conflicts in two fields': apply(widgets('applied'), 'two', widget('applied', { size: 2, colour: 'blue' })),
  'an apply agrees': apply(widgets('applied'), 'two', widget('applied', { size: 1 })),
  'an apply is forced': apply(widgets('applied'), 'two', widget('applied', { size: 2 }), { force: 'true' }),
  'an apply removes what its manager alone has set': apply(widgets('applied'), 'one', widget('applied', {})),
  'an apply of the status': apply(status('applied'), 'one', {
    ...widget('applied'),
    status: { conditions: [condition('A', 'True')] },
  }),
  'an apply adds a condition': apply(status('applied'), 'two', {
    ...widget('applied'),
    status: { conditions: [condition('B', 'True')] },
  }),
  'an apply takes its condition back': apply(status('applied'), 'one', {
    ...widget('applied'),
    status: { conditions: [] },
  }),
  'an apply conflicts with an update': apply(widgets('a'), 'one', widget('a', { colour: 'blue' })),
  'an apply has no manager': patch(widgets('applied'), 'apply-patch+yaml', widget('applied')),
  'an apply has an old version': apply(widgets('applied'), 'one', widget('applied', {}, { resourceVersion: '1' })),
  'an apply has another uid': apply(
    widgets('applied'),
    'one',
    widget('applied', {}, { uid: '00000000-0000-4000-8000-000000000000' }),
  ),
  'an apply with a uid does not create': apply(
    widgets('none'),
    'one',
    widget('none', {}, { uid: '00000000-0000-4000-8000-000000000000' }),
  ),
  'an apply with a version creates': apply(
    widgets('versioned'),
    'one',
    widget('versioned', { size: 1 }, { resourceVersion: '1' }),
  ),
  'an apply of the status does not create': apply(status('none'), 'one', { ...widget('none'), status: {} }),
};
