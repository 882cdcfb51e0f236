import { isJsonObject, type JsonObject, objectIn, objectsIn, printable, stringIn } from '@policy-machinery/resource';

/** A context of a kubeconfig: with the token of its user, or with why there is none and what to do. */
export type KubeconfigContext = { readonly name: string } & (
  | { readonly token: string; readonly why?: never }
  | { readonly why: string; readonly token?: never }
);

/** The contexts of a kubeconfig, the current one first. */
export interface Kubeconfig {
  readonly contexts: readonly KubeconfigContext[];
  /** Why there are none. Default: there are. */
  readonly fault?: string;
}

/** How many contexts of a file are read. */
const mostContexts = 200;

const create = 'kubectl create token SERVICEACCOUNT -n NAMESPACE';

/**
 * Returns the contexts of a kubeconfig, with the tokens that are written in it. The file is not trusted: nothing in it is run, no other file is read,
 * and addresses of servers do not count.
 *
 * @param config The parsed file.
 */
export function kubeconfigIn(config: unknown): Kubeconfig {
  if (!isJsonObject(config) || (config.contexts === undefined && config.users === undefined)) {
    return { contexts: [], fault: 'This is no kubeconfig: it has neither contexts nor users.' };
  }
  const current = stringIn(config['current-context']);
  const named = objectsIn(config.contexts).slice(0, mostContexts);
  const contexts = named.flatMap((entry) => {
    const name = stringIn(entry.name);
    const user = stringIn(objectIn(entry.context).user);
    return name === undefined
      ? []
      : [{ name: printable(name), isCurrent: name === current, ...credentialOf(config, user) }];
  });
  if (contexts.length === 0) return { contexts: [], fault: 'The kubeconfig has no contexts.' };
  const sorted = contexts.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return { contexts: sorted.map(({ isCurrent: _, ...context }) => context) };
}

type Credential = { readonly token: string } | { readonly why: string };

function credentialOf(config: JsonObject, name: string | undefined): Credential {
  const entry = objectsIn(config.users).find((it) => name !== undefined && stringIn(it.name) === name);
  if (name === undefined || entry === undefined) {
    return {
      why: `The kubeconfig does not have the user ${name === undefined ? 'of this context' : shortened(name)}.`,
    };
  }
  return credentialIn(objectIn(entry.user), shortened(name));
}

function credentialIn(user: JsonObject, name: string): Credential {
  if (user.as !== undefined || user['as-uid'] !== undefined || user['as-groups'] !== undefined) {
    return {
      why: `The user ${name} acts as another user, which the page cannot do. Use a token of that user: ${create}`,
    };
  }
  const file = stringIn(user.tokenFile);
  if (file !== undefined) {
    return {
      why: `The token of ${name} is in the file ${shortened(file)}, which the page cannot read: paste what is in it.`,
    };
  }
  if (user.exec !== undefined) return { why: `The user ${name} gets tokens ${byProgram(objectIn(user.exec))}` };
  const provider = stringIn(objectIn(user['auth-provider']).name);
  if (user['auth-provider'] !== undefined) {
    return {
      why: `The user ${name} gets tokens from the provider ${shortened(provider ?? '')}, which kubectl has given up. Use a token: ${create}`,
    };
  }
  const token = stringIn(user.token)?.trim();
  if (token !== undefined && token !== '') {
    return isToken(token) ? { token } : { why: `The token of ${name} has characters that no bearer token has.` };
  }
  if (user['client-certificate-data'] !== undefined || user['client-certificate'] !== undefined) {
    return {
      why: `The user ${name} has a client certificate. Its private key should not leave your machine, so the page takes tokens alone: ${create}`,
    };
  }
  if (user.username !== undefined) {
    return { why: `The user ${name} has a password, which API servers no longer accept. Use a token: ${create}` };
  }
  return { why: `The user ${name} has no token.` };
}

/** Says which program makes tokens. A file of others can name any program: it is shown and never run. */
function byProgram({ command, args }: JsonObject): string {
  const words = [command, ...(Array.isArray(args) ? args : [])].map((it) => (typeof it === 'string' ? it : ''));
  const line = shortened(words.join(' '));
  return `from a program, which the page does not run. If you trust the file, run it and paste “status.token” of what it prints: ${line} – or create a token: ${create}`;
}

/** Returns whether a text can be sent as a bearer token. */
export function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

function shortened(text: string): string {
  const shown = printable(text);
  return shown.length <= 200 ? shown : `${shown.slice(0, 200)}…`;
}
