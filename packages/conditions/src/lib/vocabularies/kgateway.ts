import { defineVocabulary } from '../vocabulary.ts';

/** The words of kgateway: `Accepted` and `Attached`. */
export const kgatewayVocabulary = defineVocabulary({
  reasons: {
    Accepted: {
      True: ['Valid', 'PartiallyValid'],
      False: ['Pending', 'Invalid', 'TargetNotFound', 'Conflicted', 'NoValidCACertificate'],
    },
    Attached: {
      True: ['Attached', 'Merged'],
      False: ['Pending', 'Overridden', 'Invalid', 'TargetNotFound'],
    },
    ResolvedRefs: { True: ['ResolvedRefs'], False: ['InvalidKind', 'InvalidCACertificateRef'] },
  },
  outcomes: {
    enforced: [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'True', 'Attached'],
    ],
    'partly-enforced': [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'True', 'Merged'],
    ],
    overridden: [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'False', 'Overridden'],
    ],
    conflicted: [['Accepted', 'False', 'Conflicted']],
    invalid: [['Accepted', 'False', 'Invalid']],
    'target-not-found': [
      ['Accepted', 'False', 'TargetNotFound'],
      ['Attached', 'False', 'TargetNotFound'],
    ],
    'section-not-found': [
      ['Accepted', 'False', 'TargetNotFound'],
      ['Attached', 'False', 'TargetNotFound'],
    ],
    'reference-not-permitted': [['Accepted', 'False', 'Invalid']],
    'not-in-any-path': [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'False', 'Pending'],
    ],
    pending: [
      ['Accepted', 'False', 'Pending'],
      ['Attached', 'False', 'Pending'],
    ],
  },
  merged: {
    merged: [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'True', 'Merged'],
    ],
    'partly-merged': [
      ['Accepted', 'True', 'Valid'],
      ['Attached', 'True', 'Merged'],
    ],
  },
  rejected: {
    conflicted: [['Attached', 'False', 'Overridden']],
    invalid: [['Attached', 'False', 'Invalid']],
    'reference-not-permitted': [['Attached', 'False', 'Invalid']],
  },
});
