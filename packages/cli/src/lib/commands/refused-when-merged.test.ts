import { describe, expect, it } from 'vitest';
import { folderWith, routes } from '../changes/cli.fixture.ts';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backendtrafficpolicies.gateway.envoyproxy.io }
spec:
  group: gateway.envoyproxy.io
  scope: Namespaced
  names: { kind: BackendTrafficPolicy, plural: backendtrafficpolicies }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                targetRefs: { type: array, items: { type: object, x-kubernetes-preserve-unknown-fields: true } }
                mergeType: { type: string }
                loadBalancer:
                  type: object
                  properties:
                    type: { type: string }
                    slowStart: { type: object, x-kubernetes-preserve-unknown-fields: true }
                  x-kubernetes-validations:
                    - rule: "self.type == 'ConsistentHash' ? !has(self.slowStart) : true"
                      message: ConsistentHash has no slow start
`;

const policy = (path: string, target: string, spec: string) => {
  const [namespace, name] = path.split('/');
  const [kind, of] = target.split(' ');
  return `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: ${kind}, name: ${of} }]
  ${spec}
`;
};

const folder = folderWith({
  'a.yaml': [
    routes,
    definition,
    policy('infra/slow', 'Gateway public', 'loadBalancer: { type: LeastRequest, slowStart: { window: 10s } }'),
    policy('shop/hash', 'HTTPRoute cart', 'mergeType: StrategicMerge\n  loadBalancer: { type: ConsistentHash }'),
  ].join('\n---\n'),
});
const refused =
  'the merged spec is refused: ConsistentHash has no slow start; shop/hash sets /loadBalancer/type, and infra/slow sets /loadBalancer/slowStart';

/** Returns a text in one line: tables and paragraphs are wrapped. */
const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('a merged spec that its schema refuses', () => {
  it('is an error of each policy that sets a field concerned, in lint', async () => {
    const { stdout, code } = await folder.gwpolicy('lint', '-f', '@', '-o', 'json');
    const found = (JSON.parse(stdout) as { items: readonly { code: string; severity: string; message: string }[] })
      .items;
    const errors = found.filter((it) => it.code === 'refused-when-merged');
    expect(errors.map(({ severity, message }) => [severity, message])).toEqual([
      ['error', refused],
      ['error', refused],
    ]);
    expect(code).toBe(1);
  });

  it('is said beside the fields that explain shows', async () => {
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(unwrapped(stdout)).toContain(`error: ${refused}`);
  });

  it('is said for a request', async () => {
    const { stdout } = await folder.gwpolicy('request', 'http://shop.example.com/cart', '-f', '@');
    expect(unwrapped(stdout)).toContain(`error: ${refused}`);
  });

  it('leaves no policy concerned enforced', async () => {
    const { stdout } = await folder.gwpolicy('get', '-A', '-f', '@', '-o', 'json');
    const { items } = JSON.parse(stdout) as { items: readonly { outcome: string; message: string }[] };
    expect(items.map(({ outcome }) => outcome)).toEqual(['partly-enforced', 'partly-enforced']);
    for (const { message } of items) expect(message).toContain(refused);
  });
});
