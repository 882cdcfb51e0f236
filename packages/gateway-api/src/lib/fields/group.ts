/** Gateway API's own group. */
export const gatewayGroup = 'gateway.networking.k8s.io';
/** The group of Gateway API's kinds while they are experimental. */
export const experimentalGroup = 'gateway.networking.x-k8s.io';
