import { InferencePool, Service } from '@policy-machinery/gateway-api';
import { agentgateway, type Profile } from '@policy-machinery/policy-kind';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectFault,
  objectIn,
  specOf,
} from '@policy-machinery/resource';
import { kindsOf } from './row.ts';
import { AgentgatewayBackend, httpRoutes, httpRules, listeners, services } from './targets.ts';

/** Returns what API servers refuse in references and selectors: names of ports of Services, and ports of policies that are not for the frontend alone. */
const targetFaults: NonNullable<Profile['faults']> = (policy) => {
  const { traffic, backend, ...spec } = specOf(policy);
  const isForOthers = isJsonObject(traffic) || isJsonObject(backend);
  return (['targetRefs', 'targetSelectors'] as const).flatMap((field) => {
    const list = spec[field];
    const entries: readonly JsonValue[] = Array.isArray(list) ? list : [];
    return entries.flatMap((entry, index) => faultsOfTarget(objectIn(entry), `/spec/${field}/${index}`, isForOthers));
  });
};

function faultsOfTarget(
  { kind, sectionName, port }: JsonObject,
  pointer: string,
  isForOthers: boolean,
): readonly ObjectFault[] {
  const isName = kind === 'Service' && typeof sectionName === 'string' && !/^\d+$/.test(sectionName);
  return [
    ...(isName
      ? [{ message: 'the section of a Service is the number of a port', pointer: `${pointer}/sectionName` }]
      : []),
    ...(isForOthers && typeof port === 'number'
      ? [
          {
            message: 'port is for policies with frontend alone; remove it, or split the policy',
            pointer: `${pointer}/port`,
          },
        ]
      : []),
  ];
}

/** The policy kinds of agentgateway. */
export const agentgatewayKinds = kindsOf(
  {
    system: 'agentgateway',
    controllers: ['agentgateway.dev', 'kgateway.dev', 'solo.io'],
    group: 'agentgateway.dev',
    versions: ['v1alpha1'],
    source: 'https://github.com/agentgateway/agentgateway/tree/main/controller/api/v1alpha1/agentgateway',
  },
  [
    {
      kind: 'AgentgatewayPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...httpRoutes, ...services, InferencePool, AgentgatewayBackend],
      effectiveTargets: [...httpRules, Service.sections.port, InferencePool, AgentgatewayBackend],
      targetSelectors: true,
      linking: { delegation: true },
      targetFields: { targetRefs: ['port', 'sectionName'], targetSelectors: ['port', 'sectionName'] },
      repeatedTargets: 'allow',
      targetPorts: true,
      profile: { ...agentgateway(), faults: targetFaults },
    },
  ],
);
