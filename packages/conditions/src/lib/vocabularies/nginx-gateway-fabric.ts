import { defineVocabulary } from '../vocabulary.ts';

/** The words of NGINX Gateway Fabric: policies that are not accepted are also `Programmed=False`. */
export const nginxGatewayFabricVocabulary = defineVocabulary({
  reasons: {
    Accepted: {
      True: ['Accepted'],
      False: [
        'Conflicted',
        'Invalid',
        'TargetNotFound',
        'TargetConflict',
        'NginxProxyConfigNotSet',
        'NoValidCACertificate',
        'AncestorLimitReached',
      ],
    },
    Programmed: { True: ['Programmed', 'PartiallyProgrammed'], False: ['Reconciling', 'Overridden'] },
    ResolvedRefs: { True: ['ResolvedRefs'], False: ['InvalidKind', 'InvalidCACertificateRef'] },
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
    conflicted: [
      ['Accepted', 'False', 'Conflicted'],
      ['Programmed', 'False', 'Overridden'],
    ],
    invalid: [
      ['Accepted', 'False', 'Invalid'],
      ['Programmed', 'False', 'Reconciling'],
    ],
    'target-not-found': [
      ['Accepted', 'False', 'TargetNotFound'],
      ['Programmed', 'False', 'Reconciling'],
    ],
    'section-not-found': [
      ['Accepted', 'False', 'TargetNotFound'],
      ['Programmed', 'False', 'Reconciling'],
    ],
    'reference-not-permitted': [
      ['Accepted', 'False', 'Invalid'],
      ['Programmed', 'False', 'Reconciling'],
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
});
