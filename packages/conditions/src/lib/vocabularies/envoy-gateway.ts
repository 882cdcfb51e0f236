import { defineVocabulary } from '../vocabulary.ts';

/**
 * The words of Envoy Gateway: `Accepted`, and additional conditions that exist only if they are true: `Merged` on the
 * parent and on the child of a merge, `Overridden` if a policy yields as a whole. Targets that do not exist or are not
 * permitted may belong to another controller, so such policies are ignored.
 */
export const envoyGatewayVocabulary = defineVocabulary({
  reasons: {
    Accepted: { True: ['Accepted'], False: ['Conflicted', 'Invalid', 'TargetNotFound'] },
    Merged: { True: ['Merged'] },
    Overridden: { True: ['Overridden'] },
    Aggregated: { True: ['Aggregated'] },
    Warning: { True: ['DeprecatedField', 'UnsupportedHTTP3ClientValidation', 'Warnings'] },
  },
  outcomes: {
    enforced: [['Accepted', 'True', 'Accepted']],
    'partly-enforced': [
      ['Accepted', 'True', 'Accepted'],
      ['Overridden', 'True', 'Overridden'],
    ],
    overridden: [
      ['Accepted', 'True', 'Accepted'],
      ['Overridden', 'True', 'Overridden'],
    ],
    conflicted: [['Accepted', 'False', 'Conflicted']],
    invalid: [['Accepted', 'False', 'Invalid']],
    'target-not-found': [],
    'section-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'reference-not-permitted': [],
    'not-in-any-path': [['Accepted', 'True', 'Accepted']],
    pending: [['Accepted', 'True', 'Accepted']],
  },
  merged: {
    merged: [
      ['Accepted', 'True', 'Accepted'],
      ['Merged', 'True', 'Merged'],
    ],
    'partly-merged': [
      ['Accepted', 'True', 'Accepted'],
      ['Merged', 'True', 'Merged'],
      ['Overridden', 'True', 'Overridden'],
    ],
  },
});
