import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a pull request does to a file: a text, nothing in its place, a link, or a submodule. */
export type FileChange = string | undefined | { readonly link: string } | { readonly submodule: string };

/** A pull request of data alone that gets an open route, or a weaker policy, past checks that do not expect it. */
export interface Attack {
  /** What its base has beside the files of all pull requests. Default: nothing. */
  readonly base?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, FileChange>>;
  /** The sentence that names it, in the output of both scripts. */
  readonly sentence: RegExp;
}

const gateway = 'gateway.networking.k8s.io';

/** Returns a route below the public Gateway, without a policy. */
export function route(name: string, rule: string, more = `hostnames: [${name}.example.com], `, meta = ''): string {
  return `apiVersion: ${gateway}/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop${meta} }
spec: { ${more}parentRefs: [{ name: public, namespace: infra }], rules: [${rule}] }
`;
}

const prefix = (path: string) => `{ matches: [{ path: { type: PathPrefix, value: ${path} } }] }`;

function policy(name: string, target: string, spec: string): string {
  return `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: { name: ${name}, namespace: shop }
spec: { targetRefs: [{ group: ${gateway}, kind: HTTPRoute, name: ${target} }], ${spec} }
`;
}

const jwt =
  'jwt: { providers: [{ name: sso, issuer: "https://sso.example.com", remoteJWKS: { uri: "https://sso.example.com/keys", cacheDuration: 300s } }] }';
const login = policy('login', 'cart', jwt);

export function guarantee(holds: string, more = ''): string {
  return `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: login }
spec: { description: Every request has a token., holds: '${holds}'${more} }
`;
}

const holds = 'has(policies.SecurityPolicy.spec.jwt)';
const policyTest = (value: string) => `apiVersion: policy-machinery/v1alpha1
kind: PolicyTest
resources: ["."]
cases: [{ name: strict, target: HTTPRoute shop/cart, policy: SecurityPolicy, spec: ${value} }]
`;

const cart = route('cart', prefix('/'));

/** The base: everything holds. */
const base = {
  'deploy/gateway.yaml': `apiVersion: ${gateway}/v1
kind: Gateway
metadata: { name: public, namespace: infra }
spec: { gatewayClassName: edge, listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }] }
`,
  'deploy/class.yaml': `apiVersion: ${gateway}/v1
kind: GatewayClass
metadata: { name: edge }
spec: { controllerName: gateway.envoyproxy.io/gatewayclass-controller }
`,
  'deploy/cart.yaml': cart,
  'deploy/login.yaml': login,
  'deploy/login.policy-test.yaml': policyTest(
    '{ jwt: { providers: [{ name: sso, issuer: "https://sso.example.com", remoteJWKS: { uri: "https://sso.example.com/keys", cacheDuration: 300s } }] } }',
  ),
  'guarantees/login.yaml': guarantee(holds),
  'README.md': 'Manifests of a shop.\n',
};

/** An open route, and the sentence about it. */
export const open = { 'deploy/evil.yaml': route('evil', prefix('/')) };
const opened = /GET http:(?:<!-- -->)?\/\/evil\.example\.com(?::81)?\/ (?:is taken by|meets no) .*SecurityPolicy/;
const status = `status:
  parents:
    - parentRef: { name: public, namespace: infra }
      controllerName: gateway.envoyproxy.io/gatewayclass-controller
      conditions: [{ type: Accepted, status: "False", reason: NoMatchingParent, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:00Z", message: "" }]
`;
const weak = policy('cors', 'cart', 'cors: { allowOrigins: ["*"] }');
const kustomize = (fields: string, kind = 'Kustomization') =>
  `apiVersion: kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}\nkind: ${kind}\n${fields}\n`;
const listed = 'resources: [gateway.yaml, class.yaml, cart.yaml, login.yaml]';
const patchedAway = 'patches: [{ target: { kind: SecurityPolicy }, patch: "[{ op: remove, path: /spec/jwt }]" }]';
/** Returns an open route, with a login that a deployer leaves out because of an annotation. */
const leftOut = (annotation: string): Attack => ({
  files: {
    ...open,
    'deploy/login-evil.yaml': policy('login-evil', 'evil', jwt).replace(
      'shop }',
      `shop, annotations: { ${annotation} } }`,
    ),
  },
  sentence: /SecurityPolicy shop\/login-evil is not rendered: the annotation/,
});
const embedded = `{ apiVersion: ${gateway}/v1, kind: HTTPRoute, metadata: { name: evil, namespace: shop }, spec: { rules: [{}] } }`;
const creator = (kind: string, group: string, spec: string): Attack => ({
  files: {
    'deploy/evil.yaml': `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: { name: evil }\nspec: { ${spec} }\n`,
  },
  sentence: new RegExp(`${kind} in deploy/evil\\.yaml is not rendered`),
});

/** The attacks, by what they do. */
export const attacks: Readonly<Record<string, Attack>> = {
  'opens a route': { files: open, sentence: opened },
  'opens a path of a protected host': {
    files: { 'deploy/evil.yaml': route('evil', prefix('/admin'), 'hostnames: [cart.example.com], ') },
    sentence: /cart\.example\.com\/admin/,
  },
  'opens requests with a header': {
    files: {
      'deploy/evil.yaml': route(
        'evil',
        '{ matches: [{ headers: [{ name: x-evil, value: "1" }] }] }',
        'hostnames: [cart.example.com], ',
      ),
    },
    sentence: /HTTPRoute shop\/evil/,
  },
  'opens a Gateway': {
    files: {
      'deploy/evil.yaml': `apiVersion: ${gateway}/v1
kind: Gateway
metadata: { name: evil, namespace: shop }
spec: { gatewayClassName: edge, listeners: [{ name: http, port: 81, protocol: HTTP }] }
---
${route('evil', prefix('/')).replace('name: public, namespace: infra', 'name: evil')}`,
    },
    sentence: opened,
  },
  'weakens a guarantee': {
    files: { ...open, 'guarantees/login.yaml': guarantee(`true || ${holds}`) },
    sentence: /Guarantee login \W+ edited/,
  },
  'deletes a guarantee': {
    files: { ...open, 'guarantees/login.yaml': undefined },
    sentence: /Guarantee login \W+ deleted/,
  },
  'replaces a guarantee': {
    files: { ...open, 'guarantees/login.yaml': guarantee('true').replace('login', 'other') },
    sentence: /Guarantee login \W+ deleted/,
  },
  'makes an exception from a guarantee': {
    files: { ...open, 'guarantees/login.yaml': guarantee(holds, ', except: [{ routes: { names: [evil] } }]') },
    sentence: /Guarantee login \W+ edited/,
  },
  'makes a guarantee say nothing': {
    files: {
      ...open,
      'guarantees/login.yaml': guarantee(holds, ', mayBeEmpty: true, requests: { gateways: { names: [none] } }'),
    },
    sentence: /Guarantee login \W+ edited/,
  },
  'links a guarantee': {
    files: { ...open, 'guarantees/login.yaml': { link: '../other.yaml' }, 'other.yaml': guarantee('true') },
    sentence: /login \(base\)/,
  },
  'hides a route behind a regular expression': {
    files: {
      'deploy/evil.yaml': route(
        'evil',
        '{ matches: [{ path: { type: RegularExpression, value: "/(?:evil|admin)[0-9]*" } }] }',
      ),
    },
    sentence: /evil/,
  },
  'excludes a file': {
    files: { ...open, 'deploy/.gwpolicyignore': 'evil.yaml\n' },
    sentence: /1 file is excluded/,
  },
  'excludes a file and the list of excluded files': {
    files: { ...open, 'deploy/.gwpolicyignore': 'evil.yaml\n.gwpolicyignore\n' },
    sentence: /deploy\/\.gwpolicyignore \W+ added/,
  },
  'links the output of lint to a route': {
    files: { ...open, 'lint.xml': { link: 'deploy/evil.yaml' } },
    sentence: opened,
  },
  'links the output of verify to a guarantee': {
    files: { ...open, 'verify.xml': { link: 'guarantees/login.yaml' } },
    sentence: opened,
  },
  'has a folder in place of an output': {
    files: { ...open, 'policies.md/evil.yaml': 'a: b\n', 'lint.xml/evil.yaml': 'a: b\n' },
    sentence: opened,
  },
  'has a route in a file that is linked': {
    files: { 'deploy/evil.yaml': { link: '../evil/evil.yaml' }, 'evil/evil.yaml': open['deploy/evil.yaml'] },
    sentence: /evil\.yaml.*link|link.*evil\.yaml/,
  },
  'has routes in a submodule': {
    files: { 'deploy/vendor': { submodule: '1'.repeat(40) } },
    sentence: /vendor.*submodule|submodule.*vendor/,
  },
  'edits a test': {
    files: {
      'deploy/login.policy-test.yaml': policyTest('null'),
      'deploy/login.yaml': login.replace('sso.example.com"', 'evil.example.com"'),
    },
    sentence: /login\.policy-test\.yaml \(base\)/,
  },
  'deletes a test': {
    files: {
      'deploy/login.policy-test.yaml': undefined,
      'deploy/login.yaml': login.replace('sso.example.com"', 'evil.example.com"'),
    },
    sentence: /login\.policy-test\.yaml \(base\)/,
  },
  'accepts an open route by an annotation': {
    files: {
      'deploy/evil.yaml': route(
        'evil',
        prefix('/'),
        undefined,
        ', annotations: { "coverage.policy-machinery/accept": "authentication: none" }',
      ),
    },
    sentence: /coverage\.policy-machinery\/accept of HTTPRoute shop\/evil \W+ added/,
  },
  'accepts an open route in a file': {
    files: {
      ...open,
      'deploy/accepted.yaml':
        'apiVersion: policy-machinery/v1alpha1\nkind: CoverageAcceptance\naccepted: [{ concern: authentication, route: shop/evil, reason: none }]\n',
    },
    sentence: /deploy\/accepted\.yaml \W+ added/,
  },
  'deletes a policy': {
    files: { 'deploy/login.yaml': undefined },
    sentence: /cart\.example\.com\/ .*no SecurityPolicy/,
  },
  'misspells the target of a policy': {
    files: { 'deploy/login.yaml': login.replace('name: cart', 'name: card') },
    sentence: /HTTPRoute shop\/card/,
  },
  'empties a policy': {
    files: { 'deploy/login.yaml': policy('login', 'cart', 'cors: { allowOrigins: ["*"] }') },
    sentence: /cart\.example\.com\/ .*SecurityPolicy (?:shop\/)?login/,
  },
  'puts a weaker policy beside a policy': {
    files: {
      'deploy/cors.yaml': weak.replace('metadata: {', 'metadata: { creationTimestamp: "2001-01-01T00:00:00Z",'),
    },
    sentence: /SecurityPolicy/,
  },
  'writes a policy again, without its rules': {
    files: { 'deploy/zz.yaml': weak.replace('name: cors', 'name: login') },
    sentence: /login/,
  },
  'has a file that cannot be read': {
    files: { ...open, 'deploy/evil.yaml': `${open['deploy/evil.yaml']}---\nkind: {\n` },
    sentence: /evil\.yaml/,
  },
  'says in a status that a route is not accepted': {
    files: { 'deploy/evil.yaml': `${open['deploy/evil.yaml']}${status}` },
    sentence: opened,
  },
  'says in a status that the Gateway does not serve it': {
    files: {
      ...open,
      'deploy/gateway.yaml': `${base['deploy/gateway.yaml']}status:
  listeners: [{ name: http, attachedRoutes: 0, supportedKinds: [], conditions: [{ type: Accepted, status: "False", reason: PortUnavailable, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:00Z", message: "" }] }]
`,
    },
    sentence: opened,
  },
  'renders a route elsewhere': {
    files: {
      'deploy/evil/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [https://example.com/evil.yaml]\n',
    },
    sentence: /evil/,
  },
  'takes a policy from the list of a kustomization': {
    files: { 'deploy/kustomization.yaml': kustomize(listed.replace(', login.yaml', '')) },
    sentence: /a list without login\.yaml in deploy\/kustomization\.yaml/,
  },
  'renders a file beside the checked folder': {
    files: {
      'deploy/kustomization.yaml': kustomize(listed.replace(']', ', ../evil/evil.yaml]')),
      'evil/evil.yaml': open['deploy/evil.yaml'],
    },
    sentence: /evil\/evil\.yaml in deploy\/kustomization\.yaml is not rendered/,
  },
  'renders a file with another extension': {
    files: {
      'deploy/Kustomization': kustomize(listed.replace(']', ', evil.txt]')),
      'deploy/evil.txt': 'kind: HTTPRoute',
    },
    sentence: /deploy\/evil\.txt in deploy\/Kustomization is not rendered/,
  },
  'patches a policy in a component': {
    files: {
      'deploy/kustomization.yaml': kustomize(`${listed}\ncomponents: [weak]`),
      'deploy/weak/kustomization.yaml': kustomize(patchedAway, 'Component'),
    },
    sentence: /SecurityPolicy shop\/login is not rendered: patches in deploy\/weak/,
  },
  'patches a policy through another kustomization': {
    files: {
      'deploy/kustomization.yaml': kustomize(listed),
      'deploy/a/kustomization.yaml': kustomize('resources: [../b]'),
      'deploy/b/kustomization.yaml': kustomize('resources: [..]'),
      'deploy/c/kustomization.yaml': kustomize(`resources: [../a]\n${patchedAway}`),
    },
    sentence: /SecurityPolicy shop\/login is not rendered: patches in deploy\/c/,
  },
  'leaves out a policy by an annotation of Argo CD': leftOut('argocd.argoproj.io/hook: Skip'),
  'leaves out a policy by an annotation of Flux': leftOut('kustomize.toolkit.fluxcd.io/reconcile: disabled'),
  'leaves out a policy by an annotation of helm': leftOut('helm.sh/hook: test'),
  'leaves out a policy by an annotation of kustomize': leftOut('config.kubernetes.io/local-config: "true"'),
  'deploys a folder of another repository': {
    files: {
      'deploy/evil.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: evil }\nspec: { path: ./evil, sourceRef: { kind: GitRepository, name: other } }\n',
    },
    sentence: /evil in deploy\/evil\.yaml is not rendered/,
  },
  'has a route in Git LFS': {
    files: {
      'deploy/evil.yaml': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a2146'.repeat(8)}\nsize 345\n`,
    },
    sentence: /deploy\/evil\.yaml.*the file is in Git LFS/,
  },
  'creates a route by an object of Kyverno': creator(
    'ClusterPolicy',
    'kyverno.io',
    `rules: [{ generate: { apiVersion: ${gateway}/v1, kind: HTTPRoute, name: evil, namespace: shop, data: { spec: {} } } }]`,
  ),
  'creates a route by an object of kro': creator(
    'ResourceGraphDefinition',
    'kro.run',
    `resources: [{ template: ${embedded} }]`,
  ),
  'creates a route by an object of Crossplane': creator(
    'Object',
    'kubernetes.crossplane.io',
    `forProvider: { manifest: ${embedded} }`,
  ),
  'opens a route in a list': {
    files: {
      'deploy/evil.yaml': `apiVersion: v1\nkind: List\nitems:\n${open['deploy/evil.yaml'].replace(/^/gm, '    ').replace('    a', '  - a')}`,
    },
    sentence: opened,
  },
};

const service = (name: string, spec = `selector: { app: ${name} }`, namespace = 'shop') =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { ${spec}, ports: [{ port: 80 }] }\n`;
const home = (backend: string, filters = '') => ({
  'deploy/home.yaml': route('home', `{ ${filters}backendRefs: [${backend}] }`),
});
const web = '{ name: web, port: 80 }';
const vault = '{ name: vault, namespace: infra, port: 80 }';
const resolver = '{ group: gateway.envoyproxy.io, kind: Backend, name: ext }';
const extension = (spec: string, kind = 'Backend', name = 'ext') =>
  `apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: shop }\nspec: { ${spec} }\n`;
/** A base with an open route. */
const homepage = {
  ...home(web),
  'deploy/web.yaml': service('web'),
  'deploy/admin.yaml': service('admin'),
  'deploy/vault.yaml': service('vault', undefined, 'infra'),
};
const filtered =
  'filters: [{ type: ExtensionRef, extensionRef: { group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: f } }], ';
/** The filter, which takes the host from a header. */
const hostFrom = (header: string) => ({
  'deploy/f.yaml': extension(`urlRewrite: { hostname: { type: Header, header: ${header} } }`, 'HTTPRouteFilter', 'f'),
});
const office = (network: string) =>
  policy(
    'office',
    'home',
    `authorization: { defaultAction: Deny, rules: [{ action: Allow, principal: { clientCIDRs: ["${network}"] } }] }`,
  );
const elsewhere = /home\.example\.com\/ is open, and may reach something else: HTTPRoute shop\/home#rule-1 sends it to/;
const otherRules = /other rules decide GET .*, and may let more requests pass: auth/;
const evilSource = (name: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec: { path: ./deploy, sourceRef: { kind: GitRepository, name: ${name} } }\n`;

/** The attacks on requests that are open or protected already, by what they do. */
export const accessAttacks: Readonly<Record<string, Attack>> = {
  'sends open requests to another backend': {
    base: homepage,
    files: home('{ name: admin, port: 80 }'),
    sentence: elsewhere,
  },
  'gives a backend of open requests a weight': {
    base: { ...homepage, ...home(`${web}, { name: admin, port: 80, weight: 0 }`) },
    files: home(`${web}, { name: admin, port: 80 }`),
    sentence: elsewhere,
  },
  'rewrites the path of open requests': {
    base: homepage,
    files: home(
      web,
      'filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: /admin } } }], ',
    ),
    sentence: elsewhere,
  },
  'edits a filter of open requests': {
    base: { ...homepage, ...home(web, filtered), ...hostFrom('host') },
    files: hostFrom('evil'),
    sentence: /HTTPRouteFilter shop\/f is a filter of routes/,
  },
  'edits a filter of a backend of open requests': {
    base: { ...homepage, ...home(`{ ${filtered}name: web, port: 80 }`), ...hostFrom('host') },
    files: hostFrom('evil'),
    sentence: /HTTPRouteFilter shop\/f is a filter of routes/,
  },
  'allows a reference to another namespace': {
    base: { ...homepage, ...home(vault) },
    files: {
      'deploy/grant.yaml': `apiVersion: ${gateway}/v1beta1\nkind: ReferenceGrant\nmetadata: { name: g, namespace: infra }\nspec: { from: [{ group: ${gateway}, kind: HTTPRoute, namespace: shop }], to: [{ group: "", kind: Service }] }\n`,
    },
    sentence: elsewhere,
  },
  'puts an external name behind a Service': {
    base: homepage,
    files: { 'deploy/web.yaml': service('web', 'type: ExternalName, externalName: evil.example.org') },
    sentence: elsewhere,
  },
  'selects other Pods by a Service': {
    base: homepage,
    files: { 'deploy/web.yaml': service('web', 'selector: { app: vault }') },
    sentence: elsewhere,
  },
  'makes a backend resolve any name': {
    base: {
      ...homepage,
      ...home(resolver),
      'deploy/ext.yaml': extension('endpoints: [{ fqdn: { hostname: a.example.com, port: 80 } }]'),
    },
    files: { 'deploy/ext.yaml': extension('type: DynamicResolver') },
    sentence: elsewhere,
  },
  'moves the Gateway to a class that is not in the input': {
    files: { 'deploy/gateway.yaml': base['deploy/gateway.yaml'].replace('edge', 'other') },
    sentence: /Gateway infra\/public gets the class other, which is not in this input/,
  },
  'gives a class to an unknown controller': {
    files: { 'deploy/class.yaml': base['deploy/class.yaml'].replace('gateway.envoyproxy.io/', 'evil.example.com/') },
    sentence: /Gateway infra\/public gets the class edge of the controller evil\.example\.com/,
  },
  'adds a policy without a namespace': {
    files: { 'deploy/weak.yaml': weak.replace(', namespace: shop', '') },
    sentence: /SecurityPolicy default\/cors targets HTTPRoute default\/cart, which is not in this input/,
  },
  'trusts tokens of another issuer': {
    files: { 'deploy/login.yaml': login.replace('sso.example.com"', 'evil.example.com"') },
    sentence: otherRules,
  },
  'allows more client addresses': {
    base: { ...homepage, 'deploy/office.yaml': office('10.0.0.0/8') },
    files: { 'deploy/office.yaml': office('0.0.0.0/0') },
    sentence: otherRules,
  },
  'trusts addresses that clients name': {
    base: { ...homepage, 'deploy/office.yaml': office('10.0.0.0/8') },
    files: {
      'deploy/hops.yaml': `apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: ClientTrafficPolicy\nmetadata: { name: hops, namespace: infra }\nspec: { targetRefs: [{ group: ${gateway}, kind: Gateway, name: public }], clientIPDetection: { xForwardedFor: { numTrustedHops: 5 } } }\n`,
    },
    sentence: otherRules,
  },
  'deploys a folder that exists here from another repository': {
    base: { 'deploy/flux.yaml': evilSource('flux-system') },
    files: { 'deploy/evil.yaml': evilSource('evil') },
    sentence: /the source GitRepository evil in deploy\/evil\.yaml is not rendered/,
  },
};

const git = (repository: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

/** A checkout of a pull request. */
export interface Checkout {
  readonly repository: string;
  /** The commit from which it began. */
  readonly base: string;
}

/** Makes the checkouts of pull requests, each in a repository of its own. */
export class PullRequests {
  readonly #folder: string;
  readonly #template: string;

  /** @param folder A folder for the repositories. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#template = mkdtempSync(join(folder, 'base-'));
    for (const [name, text] of Object.entries(base)) change(this.#template, name, text);
    git(this.#template, 'init', '--quiet', '--initial-branch=main');
    commit(this.#template);
  }

  /** Returns the checkout of a pull request with some changes. */
  with(files: Attack['files'], more: Attack['base'] = {}): Checkout {
    const repository = mkdtempSync(join(this.#folder, 'pull-'));
    cpSync(this.#template, repository, { recursive: true });
    for (const [name, text] of Object.entries(more)) change(repository, name, text);
    if (Object.keys(more).length > 0) commit(repository);
    for (const [name, text] of Object.entries(files)) change(repository, name, text);
    git(repository, 'add', '--all');
    for (const [name, text] of Object.entries(files)) {
      if (typeof text !== 'object' || !('submodule' in text)) continue;
      git(repository, 'update-index', '--add', '--cacheinfo', `160000,${text.submodule},${name}`);
    }
    git(repository, 'commit', '--quiet', '--message=pull');
    git(repository, 'clean', '--quiet', '--force', '-d');
    return { repository, base: git(repository, 'rev-parse', 'HEAD~1').trim() };
  }

  /** Returns the checkout of a pull request that began before some changes of its base. */
  stale(files: Attack['files'], later: Attack['files']): Checkout {
    const { repository } = this.with(later);
    const base = git(repository, 'rev-parse', 'HEAD').trim();
    git(repository, 'checkout', '--quiet', '--detach', 'HEAD~1');
    for (const [name, text] of Object.entries(files)) change(repository, name, text);
    commit(repository);
    return { repository, base };
  }
}

function commit(repository: string): void {
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '--message=base');
}

function change(repository: string, name: string, to: FileChange): void {
  const path = join(repository, name);
  if (to === undefined || typeof to === 'object') rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (typeof to === 'string') writeFileSync(path, to);
  else if (to !== undefined && 'link' in to) symlinkSync(to.link, path);
  else if (to !== undefined) mkdirSync(path);
}
