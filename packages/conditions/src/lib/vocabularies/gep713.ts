import { defineVocabulary } from '../vocabulary.ts';

/**
 * The words of current upstream GEP-713, and of Gateway API's BackendTLSPolicy: `Accepted`, `Programmed`,
 * and `ResolvedRefs` if a reference cannot be resolved.
 */
export const gep713Vocabulary = defineVocabulary({
  reasons: {
    Accepted: { True: ['Accepted'], False: ['Conflicted', 'Invalid', 'TargetNotFound', 'NoValidCACertificate'] },
    Programmed: { True: ['Programmed', 'PartiallyProgrammed'], False: ['Reconciling', 'Overridden'] },
    ResolvedRefs: {
      True: ['ResolvedRefs'],
      False: ['InvalidKind', 'InvalidCACertificateRef', 'RefNotPermitted', 'TargetNotFound'],
    },
  },
  outcomes: {
    enforced: [
      ['Accepted', 'True', 'Accepted'],
      ['Programmed', 'True', 'Programmed'],
    ],
    'partly-enforced': [
      ['Accepted', 'True', 'Accepted'],
      ['Programmed', 'True', 'PartiallyProgrammed'],
    ],
    overridden: [
      ['Accepted', 'True', 'Accepted'],
      ['Programmed', 'False', 'Overridden'],
    ],
    conflicted: [['Accepted', 'False', 'Conflicted']],
    invalid: [['Accepted', 'False', 'Invalid']],
    'target-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'section-not-found': [
      ['Accepted', 'False', 'TargetNotFound'],
      ['ResolvedRefs', 'False', 'TargetNotFound'],
    ],
    'reference-not-permitted': [
      ['Accepted', 'False', 'Invalid'],
      ['ResolvedRefs', 'False', 'RefNotPermitted'],
    ],
    'not-in-any-path': [
      ['Accepted', 'True', 'Accepted'],
      ['Programmed', 'False', 'Reconciling'],
    ],
    pending: [
      ['Accepted', 'True', 'Accepted'],
      ['Programmed', 'False', 'Reconciling'],
    ],
  },
  rejected: {
    conflicted: [['Programmed', 'False', 'Overridden']],
    invalid: [['Programmed', 'False', 'Reconciling']],
    'target-not-found': [['Programmed', 'False', 'Reconciling']],
    'section-not-found': [['Programmed', 'False', 'Reconciling']],
    'reference-not-permitted': [['Programmed', 'False', 'Reconciling']],
  },
});
