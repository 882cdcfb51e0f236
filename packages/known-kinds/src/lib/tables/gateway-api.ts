import { Gateway, Pod, Service, ServiceImport } from '@policy-machinery/gateway-api';
import { atomic, none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { isJsonObject } from '@policy-machinery/resource';
import { replaced } from '../readers/route-cors.ts';
import { namedOrSelected } from '../readers/target-readers.ts';
import { kindsOf, wholeAndSections } from './row.ts';
import { EnvoyGatewayBackend, httpRules, ServiceEntryBackend, services } from './targets.ts';

const notMerged = { stanzas: bareSpec({ strategies: { none }, strategyField: false }) };

/** The policy kinds of Gateway API itself. */
export const gatewayApiKinds = [
  ...kindsOf(
    {
      system: 'Gateway API',
      group: 'gateway.networking.k8s.io',
      versions: ['v1', 'v1alpha3'],
      source: 'https://gateway-api.sigs.k8s.io/geps/gep-1897/',
    },
    [
      {
        kind: 'BackendTLSPolicy',
        policyClass: 'Direct',
        targets: [
          ...services,
          ...[ServiceImport, EnvoyGatewayBackend, ServiceEntryBackend].flatMap(wholeAndSections<string>),
        ],
        // A backend of Envoy Gateway that finds its endpoints itself lacks ports.
        effectiveTargets: [
          Service.sections.port,
          ServiceImport.sections.port,
          EnvoyGatewayBackend.sections.port,
          EnvoyGatewayBackend,
          ...wholeAndSections(ServiceEntryBackend),
        ],
        targetFields: { targetRefs: ['sectionName'] },
        isOpen: true,
        profile: notMerged,
        // The backend sets the fields that a policy leaves out.
        ownFields: [
          {
            of: 'Backend',
            field: 'tls',
            policyField: '/validation',
            counts: 'policies',
            source: 'https://github.com/envoyproxy/gateway/blob/main/internal/gatewayapi/backendtlspolicy.go',
          },
        ],
        notes: ['Policies of v1alpha2, which is not served any more, have targetRef.'],
      },
    ],
  ),
  ...kindsOf(
    {
      system: 'Gateway API',
      group: 'gateway.networking.x-k8s.io',
      versions: ['v1alpha1'],
      source: 'https://gateway-api.sigs.k8s.io/geps/gep-3388/',
    },
    [
      {
        kind: 'XBackendTrafficPolicy',
        policyClass: 'Direct',
        targets: [Service],
        targetFields: { targetRefs: [] },
        isOpen: true,
        profile: {
          stanzas: bareSpec({ strategies: { atomic }, strategyField: false }),
          // The session persistence of a rule prevails on the Services that the rule leads to.
          ownValueTargets: httpRules,
          ownValuePrecedence: 'highest',
          ownValueStrategy: replaced('/sessionPersistence'),
        },
        ownFields: ['HTTPRoute rule', 'GRPCRoute rule'].map((of) => ({
          of,
          field: 'sessionPersistence',
          policyField: '/sessionPersistence',
          counts: 'own',
          source: 'https://gateway-api.sigs.k8s.io/geps/gep-1619/',
          read: ({ sessionPersistence }) => (isJsonObject(sessionPersistence) ? sessionPersistence : undefined),
        })),
      },
    ],
  ),
  ...kindsOf(
    {
      system: 'Gateway API',
      group: 'gateway.networking.x-k8s.io',
      versions: ['v1alpha1'],
      source: 'https://gateway-api.sigs.k8s.io/geps/gep-4768/',
    },
    [
      {
        kind: 'TelemetryPolicy',
        policyClass: 'Direct',
        targets: [Gateway],
        targetFields: { targetRefs: ['namespace'] },
        isOpen: true,
        profile: notMerged,
        notes: ['The proposal does not have a definition yet.'],
      },
      {
        kind: 'AuthorizationPolicy',
        source: 'https://gateway-api.sigs.k8s.io/geps/gep-3779/',
        policyClass: 'Direct',
        targets: [Pod],
        isOpen: true,
        readTargets: namedOrSelected(),
        notes: ['The proposal does not have a definition or a group yet.'],
      },
    ],
  ),
];
