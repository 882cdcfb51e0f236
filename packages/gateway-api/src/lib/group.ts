/** Gateway API's own group. */
export const gatewayGroup = 'gateway.networking.k8s.io';
