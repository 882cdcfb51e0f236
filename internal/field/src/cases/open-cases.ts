/** Cases with other answers than expected, with the reason. */
export const openCases: Readonly<Record<string, string>> = {
  '108a-eg-patch-policies': 'Whether Gateways of a class are merged is not read from EnvoyProxy.',
  '112a-kg-singular-targetref': 'The fields for targets of a kind are not in its row.',
  '112b-btls-singular-targetref': 'The fields for targets of a kind are not in its row.',
  '115c-kg-gateway-retry-and-rule-retry': 'The fields of rules that prevail over policies are not known for kgateway.',
  '121a-ag-backend-inline': 'The fields of backends that prevail over policies are not known.',
  '121b-ag-backend-section': 'The sections of AgentgatewayBackend are not targets.',
  '121c-ag-two-ai-policies': 'backend.ai is merged as a whole.',
  '122b-ag-frontend-two-fields': 'Frontend settings apply to routes only.',
  '123a-ag-prerouting-and-postrouting': 'The phases are merged.',
  '123b-ag-two-phases-on-gateway': 'The phases are merged.',
  '124a-ag-authorization-composes': 'Authorization is merged by level.',
  '126a-ag-rule-timeouts': 'The fields of rules that prevail over policies are not known for agentgateway.',
  '126b-ag-rule-retry-cors-headers': 'The fields of rules that prevail over policies are not known for agentgateway.',
  '129b-ag-frontend-on-route': 'The kinds of targets by part of the spec are not in the row.',
  '129c-ag-traffic-on-service': 'The kinds of targets by part of the spec are not in the row.',
  '151b-lk-namespace-target': 'The advice about a Namespace is for authors of the kind.',
  '188b-backend-of-unknown-kind-missing':
    'The backend of a kind in the input is missing: BackendNotFound, where it was InvalidKind.',
  '188e-kong-facade':
    'Whether the system supports a kind that the input has is not known: Unknown, where it was InvalidKind.',
};
