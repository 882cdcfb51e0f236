/** The systems with kinds that no schema is shipped for, with the reason. */
export const withoutSchemas: Readonly<Record<string, string>> = {
  'Gateway API': 'proposals have no release',
  kgateway: 'no copy of the definitions of kgateway 2 was at hand',
  'Azure Application Gateway for Containers': 'the definitions are not public',
  'AWS Load Balancer Controller': 'no copy of the definitions was at hand',
  Linkerd: 'no copy of the definitions was at hand',
  Consul: 'the licence asks for more than a notice',
};
