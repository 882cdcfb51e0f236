import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { checkOthers } from './without-rows.ts';

const text = { type: 'string' };
const reference = { type: 'object', properties: { group: text, kind: text, name: text } };

/** A definition whose specs have some fields. */
function definition(kind: string, fields: JsonObject, labels: Record<string, string> = {}): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: kind, labels },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
          },
        },
      ],
    },
  };
}

const check = (...crds: readonly KubernetesObject[]) =>
  checkOthers(new Map(crds.map((crd) => [crd.metadata.name, { project: 'x', crd }])));

describe('definitions of kinds without a row', () => {
  it('are listed by their outcome', () => {
    const { lines, faults } = check(
      definition('RetryPolicy', { targetRefs: { type: 'array', items: reference } }),
      definition('Annotated', {}, { 'gateway.networking.k8s.io/policy': 'Direct' }),
      definition('Named', { targetReference: reference }),
      definition('Widget', { size: text }),
      { ...definition('APIProduct', { targetRef: reference }), metadata: { name: 'APIProduct.devportal.kuadrant.io' } },
    );
    expect(lines).toEqual([
      'Kinds without a row:',
      '- read by their definition (1): RetryPolicy',
      '- listed as not read (2): Annotated, Named',
      '- no policies, as their systems document (1): APIProduct.devportal.kuadrant.io',
      '- no policies: without the policy label, and without a field that names targets (1): Widget',
    ]);
    expect(faults).toEqual([]);
  });

  it('are a fault if they name targets and are overlooked', () => {
    const unnamed = definition('Odd Kind', { targetRef: reference });
    expect(check(unnamed).faults).toEqual([
      'Odd Kind: has the policy label or names targets, and is neither read nor listed',
    ]);
  });
});
