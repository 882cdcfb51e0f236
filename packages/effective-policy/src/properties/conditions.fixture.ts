import type { ConditionLanguage } from '@policy-machinery/policy-kind';

/** A condition names a field that must be there; others have no answer, or ask for what is not there. */
export const conditions: ConditionLanguage = {
  compile: (expression) => {
    if (expression === 'faulty') throw new Error('no such condition');
    if (expression === 'fails') return () => ({ error: 'no answer', missing: false });
    if (expression === 'misses') return () => ({ error: 'nothing there', missing: true });
    return (spec) => ({ holds: Object.hasOwn(spec, expression) });
  },
};
