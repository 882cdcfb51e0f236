import { describe, expect, it } from 'vitest';
import {
  conditionsFor,
  envoyGatewayVocabulary,
  gep713RewriteVocabulary,
  gep713Vocabulary,
  kgatewayVocabulary,
  kuadrantVocabulary,
  nginxGatewayFabricVocabulary,
  type OutcomeOptions,
  type ReportedOutcome,
  type Vocabulary,
} from '../index.ts';

const dialects = {
  gep713: gep713Vocabulary,
  gep713Rewrite: gep713RewriteVocabulary,
  kuadrant: kuadrantVocabulary,
  envoyGateway: envoyGatewayVocabulary,
  kgateway: kgatewayVocabulary,
  nginxGatewayFabric: nginxGatewayFabricVocabulary,
};

/** The conditions in short: `Accepted=T/Accepted`. */
function toldBy(vocabulary: Vocabulary, outcome: ReportedOutcome, options: Partial<OutcomeOptions> = {}): string {
  return conditionsFor(vocabulary, outcome, { message: '', ...options })
    .map(({ type, status, reason }) => `${type}=${status[0]}/${reason}`)
    .join(' ');
}

const accepted = 'Accepted=T/Accepted';

describe('conditionsFor (S-02, S-03, S-16, S-18, K-13, G-13, E-04)', () => {
  it.each<[keyof typeof dialects, Record<ReportedOutcome, string>]>([
    [
      'gep713',
      {
        enforced: `${accepted} Programmed=T/Programmed`,
        'partly-enforced': `${accepted} Programmed=T/PartiallyProgrammed`,
        overridden: `${accepted} Programmed=F/Overridden`,
        conflicted: 'Accepted=F/Conflicted',
        invalid: 'Accepted=F/Invalid',
        'target-not-found': 'Accepted=F/TargetNotFound',
        'section-not-found': 'Accepted=F/TargetNotFound ResolvedRefs=F/TargetNotFound',
        'reference-not-permitted': 'Accepted=F/Invalid ResolvedRefs=F/RefNotPermitted',
        'not-in-any-path': `${accepted} Programmed=F/Reconciling`,
        pending: `${accepted} Programmed=F/Reconciling`,
      },
    ],
    [
      'gep713Rewrite',
      {
        enforced: `${accepted} Enforced=T/Enforced`,
        'partly-enforced': `${accepted} Enforced=F/PartiallyEnforced PartiallyEnforced=T/PartiallyEnforced`,
        overridden: `${accepted} Enforced=F/Overridden Overridden=T/Overridden`,
        conflicted: 'Accepted=F/Conflicted',
        invalid: 'Accepted=F/Invalid',
        'target-not-found': 'Accepted=F/TargetNotFound',
        'section-not-found': 'Accepted=F/TargetNotFound',
        'reference-not-permitted': 'Accepted=F/Invalid',
        'not-in-any-path': `${accepted} Enforced=U/Reconciling`,
        pending: `${accepted} Enforced=U/Reconciling`,
      },
    ],
    [
      'kuadrant',
      {
        enforced: `${accepted} Enforced=T/Enforced`,
        'partly-enforced': `${accepted} Enforced=T/Enforced`,
        overridden: `${accepted} Enforced=F/Overridden`,
        conflicted: 'Accepted=F/Conflicted',
        invalid: 'Accepted=F/Invalid',
        'target-not-found': 'Accepted=F/TargetNotFound',
        'section-not-found': 'Accepted=F/TargetNotFound',
        'reference-not-permitted': 'Accepted=F/Invalid',
        'not-in-any-path': `${accepted} Enforced=F/Unknown`,
        pending: `${accepted} Enforced=F/Unknown`,
      },
    ],
    [
      'envoyGateway',
      {
        enforced: accepted,
        'partly-enforced': `${accepted} Overridden=T/Overridden`,
        overridden: `${accepted} Overridden=T/Overridden`,
        conflicted: 'Accepted=F/Conflicted',
        invalid: 'Accepted=F/Invalid',
        'target-not-found': '',
        'section-not-found': 'Accepted=F/TargetNotFound',
        'reference-not-permitted': '',
        'not-in-any-path': accepted,
        pending: accepted,
      },
    ],
    [
      'kgateway',
      {
        enforced: 'Accepted=T/Valid Attached=T/Attached',
        'partly-enforced': 'Accepted=T/Valid Attached=T/Merged',
        overridden: 'Accepted=T/Valid Attached=F/Overridden',
        conflicted: 'Accepted=F/Conflicted',
        invalid: 'Accepted=F/Invalid',
        'target-not-found': 'Accepted=F/TargetNotFound Attached=F/TargetNotFound',
        'section-not-found': 'Accepted=F/TargetNotFound Attached=F/TargetNotFound',
        'reference-not-permitted': 'Accepted=F/Invalid',
        'not-in-any-path': 'Accepted=T/Valid Attached=F/Pending',
        pending: 'Accepted=F/Pending Attached=F/Pending',
      },
    ],
    [
      'nginxGatewayFabric',
      {
        enforced: `${accepted} Programmed=T/Programmed`,
        'partly-enforced': `${accepted} Programmed=T/PartiallyProgrammed`,
        overridden: `${accepted} Programmed=F/Overridden`,
        conflicted: 'Accepted=F/Conflicted Programmed=F/Overridden',
        invalid: 'Accepted=F/Invalid Programmed=F/Reconciling',
        'target-not-found': 'Accepted=F/TargetNotFound Programmed=F/Reconciling',
        'section-not-found': 'Accepted=F/TargetNotFound Programmed=F/Reconciling',
        'reference-not-permitted': 'Accepted=F/Invalid Programmed=F/Reconciling',
        'not-in-any-path': `${accepted} Programmed=F/Reconciling`,
        pending: `${accepted} Programmed=F/Reconciling`,
      },
    ],
  ])('speaks %s (X-14)', (dialect, expected) => {
    const outcomes = Object.keys(expected) as ReportedOutcome[];
    expect(Object.fromEntries(outcomes.map((outcome) => [outcome, toldBy(dialects[dialect], outcome)]))).toEqual(
      expected,
    );
  });

  it.each(Object.keys(dialects) as (keyof typeof dialects)[])(
    '%s has Accepted first, or not at all (X-30)',
    (dialect) => {
      for (const [, templates] of Object.entries(dialects[dialect].outcomes)) {
        expect([undefined, 'Accepted']).toContain(templates[0]?.[0]);
      }
    },
  );

  it.each<[keyof typeof dialects, ReportedOutcome, string]>([
    ['gep713', 'conflicted', 'Accepted=F/Conflicted Programmed=F/Overridden'],
    ['gep713', 'invalid', 'Accepted=F/Invalid Programmed=F/Reconciling'],
    ['gep713', 'enforced', `${accepted} Programmed=T/Programmed`],
    ['gep713Rewrite', 'invalid', 'Accepted=F/Invalid Enforced=F/NotAccepted'],
    ['kuadrant', 'target-not-found', 'Accepted=F/TargetNotFound Enforced=F/Unknown'],
    ['kgateway', 'conflicted', 'Accepted=F/Conflicted Attached=F/Overridden'],
    ['nginxGatewayFabric', 'target-not-found', 'Accepted=F/TargetNotFound Programmed=F/Reconciling'],
    ['envoyGateway', 'conflicted', 'Accepted=F/Conflicted'],
  ])('can say in %s that a policy that is %s is not in force (X-29)', (dialect, outcome, expected) => {
    expect(toldBy(dialects[dialect], outcome, { rejectedProgrammed: 'false' })).toBe(expected);
  });

  it('gives all conditions one message, or each condition its own (S-05)', () => {
    const messages = (message: OutcomeOptions['message']) =>
      conditionsFor(gep713Vocabulary, 'overridden', { message }).map((condition) => condition.message);
    expect(messages('By infra/edge.')).toEqual(['By infra/edge.', 'By infra/edge.']);
    expect(messages(({ type, reason }) => `${type}: ${reason}`)).toEqual([
      'Accepted: Accepted',
      'Programmed: Overridden',
    ]);
  });
});
