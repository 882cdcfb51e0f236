export type { NamedObject, ObjectChange } from './lib/api-server/administrator.ts';
export {
  createFakeApiServer,
  type FakeApiServer,
  type FakeApiServerOptions,
} from './lib/api-server/fake-api-server.ts';
export type { FakeKind } from './lib/api-server/kinds/fake-kind.ts';
export type { ServerMeta, ServerObject } from './lib/api-server/objects.ts';
export type { AuditEntry } from './lib/api-server/server/audit.ts';
export type { Fault, FaultAction } from './lib/api-server/server/faults.ts';
export type { RequestPattern } from './lib/api-server/server/pattern.ts';
export { type Status, type StatusCause, StatusError } from './lib/api-server/statuses.ts';
export type { Clock } from './lib/clock/clock.ts';
export { createFakeClock, type FakeClock } from './lib/clock/fake-clock.ts';
export type { NamespaceOptions, ReferenceGrantOptions, ServiceOptions } from './lib/fixtures/core.ts';
export { createFixtures, type Fixtures } from './lib/fixtures/fixtures.ts';
export type { GatewayClassOptions, GatewayOptions, ListenerOptions } from './lib/fixtures/gateways.ts';
export { manifests } from './lib/fixtures/manifests.ts';
export type { FixtureOptions } from './lib/fixtures/metadata.ts';
export type { FixtureKind, PolicyOptions, PolicyTarget } from './lib/fixtures/policies.ts';
export type { NameOrReference, RouteOptions, RuleOptions } from './lib/fixtures/routes.ts';
export { type SettleOptions, settle } from './lib/settle.ts';
export type { HttpServer } from './lib/transport/http.ts';
export type { Transport, TransportRequest, TransportResponse } from './lib/transport/transport.ts';
