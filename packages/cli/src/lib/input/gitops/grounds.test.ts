import { expect, it } from 'vitest';
import { rendered } from '../../model/unrendered.ts';
import { hasGrounds } from './grounds.ts';

it.each([
  [true, false],
  [false, true],
])('a policy that is overridden on all paths lacks grounds if one more route may exist: %s', (mayExist, expected) => {
  const signs = [{ what: 'HelmRelease', source: 'release.yaml' }];
  const unrendered = {
    ...rendered,
    signs,
    mayExist: (locator: string) => mayExist && locator.startsWith('httproute.'),
  };
  const overridden = { code: 'overridden', resource: 'backendtrafficpolicy.gateway.envoyproxy.io:infra/house' };
  expect(hasGrounds({ unrendered, topologies: [] }, overridden)).toBe(expected);
});
