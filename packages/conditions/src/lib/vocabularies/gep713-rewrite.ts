import { defineVocabulary } from '../vocabulary.ts';

/**
 * The words of the rewrite of GEP-713 in progress: `Enforced`, `PartiallyEnforced` and `Overridden` are separate
 * conditions. The rewrite names no reasons, so they repeat the types. Accepted policies always have `Enforced`.
 */
export const gep713RewriteVocabulary = defineVocabulary({
  reasons: {
    Accepted: { True: ['Accepted'], False: ['Conflicted', 'Invalid', 'TargetNotFound'] },
    Enforced: {
      True: ['Enforced'],
      False: ['PartiallyEnforced', 'Overridden', 'NotAccepted'],
      Unknown: ['Reconciling'],
    },
    PartiallyEnforced: { True: ['PartiallyEnforced'] },
    Overridden: { True: ['Overridden'] },
  },
  outcomes: {
    enforced: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'True', 'Enforced'],
    ],
    'partly-enforced': [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'False', 'PartiallyEnforced'],
      ['PartiallyEnforced', 'True', 'PartiallyEnforced'],
    ],
    overridden: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'False', 'Overridden'],
      ['Overridden', 'True', 'Overridden'],
    ],
    conflicted: [['Accepted', 'False', 'Conflicted']],
    invalid: [['Accepted', 'False', 'Invalid']],
    'target-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'section-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'reference-not-permitted': [['Accepted', 'False', 'Invalid']],
    'not-in-any-path': [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'Unknown', 'Reconciling'],
    ],
    pending: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'Unknown', 'Reconciling'],
    ],
  },
  rejected: {
    conflicted: [['Enforced', 'False', 'NotAccepted']],
    invalid: [['Enforced', 'False', 'NotAccepted']],
    'target-not-found': [['Enforced', 'False', 'NotAccepted']],
    'section-not-found': [['Enforced', 'False', 'NotAccepted']],
    'reference-not-permitted': [['Enforced', 'False', 'NotAccepted']],
  },
});
