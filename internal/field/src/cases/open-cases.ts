/** Cases with other answers than expected, with the reason. */
export const openCases: Readonly<Record<string, string>> = {
  '122a-ag-accesslog-two':
    'Frontend settings count at listeners without routes: in force, where they were not-in-any-path.',
  '125a-ag-frontend-tcproute': 'Frontend settings count at listeners, too, and not only below them.',
  '128a-ag-mcp-authz-on-section':
    'The sections of AgentgatewayBackend are targets: the missing one is section-not-found, and the Gateway above is the ancestor.',
  '143a-ku-oidc-and-authpolicy':
    'The merging of OIDCPolicy is known: its effective spec is one spec, not one by policy.',
  '186a-generated-by-owner': 'The merging of OIDCPolicy is known: its effective spec is one spec, not one by policy.',
  '107b-ag-on-istio-waypoint':
    'Istio supports HBONE, which Gateway API does not define: Unknown, where it was UnsupportedProtocol.',
  '188b-backend-of-unknown-kind-missing':
    'The backend of a kind in the input is missing: BackendNotFound, where it was InvalidKind.',
  '188e-kong-facade':
    'Whether the system supports a kind that the input has is not known: Unknown, where it was InvalidKind.',
};
