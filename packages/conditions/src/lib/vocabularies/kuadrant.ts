import { defineVocabulary } from '../vocabulary.ts';

/**
 * The words of Kuadrant: `Accepted` and `Enforced`. Policies that are partly in force are `Enforced` like others, with a
 * message that says so.
 */
export const kuadrantVocabulary = defineVocabulary({
  reasons: {
    Accepted: {
      True: ['Accepted'],
      False: ['Conflicted', 'Invalid', 'TargetNotFound', 'MissingDependency', 'Unknown'],
    },
    Enforced: {
      True: ['Enforced'],
      False: ['Overridden', 'Unknown', 'MissingResource', 'InvalidCelExpression'],
    },
  },
  outcomes: {
    enforced: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'True', 'Enforced'],
    ],
    'partly-enforced': [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'True', 'Enforced'],
    ],
    overridden: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'False', 'Overridden'],
    ],
    conflicted: [['Accepted', 'False', 'Conflicted']],
    invalid: [['Accepted', 'False', 'Invalid']],
    'target-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'section-not-found': [['Accepted', 'False', 'TargetNotFound']],
    'reference-not-permitted': [['Accepted', 'False', 'Invalid']],
    'not-in-any-path': [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'False', 'Unknown'],
    ],
    pending: [
      ['Accepted', 'True', 'Accepted'],
      ['Enforced', 'False', 'Unknown'],
    ],
  },
  rejected: {
    conflicted: [['Enforced', 'False', 'Overridden']],
    invalid: [['Enforced', 'False', 'Unknown']],
    'target-not-found': [['Enforced', 'False', 'Unknown']],
    'section-not-found': [['Enforced', 'False', 'Unknown']],
    'reference-not-permitted': [['Enforced', 'False', 'Unknown']],
  },
  affectedReason: 'Accepted',
});
