/** The cases of RFC 0009 in its own words, by the namespace that each is in. */
export const cases: Readonly<Record<string, string>> = {
  a1: 'A1. A default policy that is replaced entirely if another one is set at a lower level',
  b1: 'B1. A default policy whose rules are merged into other policies at a lower level - without conflict',
  b2: 'B2. A default policy whose rules are merged into other policies at a lower level - with conflict',
  c1: 'C1. An override policy that replaces any other that is set at a lower level entirely',
  d1: 'D1. An override policy whose rules are merged into other policies at a lower level - without conflict',
  d2: 'D2. An override policy whose rules are merged into other policies at a lower level - with conflict',
  e1: 'E1. An override policy whose rules set constraints to field values of other policies at a lower level - compliant',
  e2: 'E2. An override policy whose rules set constraints to field values of other policies at a lower level - violated',
  e3: 'E3. An override policy whose rules set constraints to field values of other policies at a lower level - merge granularity problem',
  f1: 'F1. A policy that deactivates a default policy rule set at a higher level',
  f2: 'F2. A policy that tries to deactivate an override policy rule set at a higher level',
};
