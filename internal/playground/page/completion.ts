import { autocompletion } from '@codemirror/autocomplete';
import { fieldsIn } from '../src/fields.ts';

/** The extension that completes fields by the schemas of their kinds. */
export const completion = autocompletion({
  icons: false,
  override: [
    async ({ state, pos }) => {
      const { from, fields } = (await fieldsIn(state.doc.toString(), pos)) ?? { from: pos, fields: [] };
      return { from, options: fields.map((label) => ({ label, apply: `${label}:` })), validFor: /^\w*$/ };
    },
  ],
});
