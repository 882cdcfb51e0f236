import { UsageError } from '../model/usage-error.ts';

export interface WrittenName {
  /** The kind, in one of its words: `HTTPRoute`, `gtw`, `httproutes.gateway.networking.k8s.io`. */
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly section?: string;
}

/**
 * Reads the name of an object from the arguments of a command, in each form that people and this program use for names:
 * `httproute/cart`, `HTTPRoute shop/cart#pay` as one argument or two, `httproute/shop/cart`, and
 * the locator `httproute.gateway.networking.k8s.io:shop/cart#pay`.
 *
 * @returns The name, and the arguments after it.
 * @throws {UsageError} If the arguments are not a name.
 */
export function parseName(args: readonly string[]): { readonly name: WrittenName; readonly rest: readonly string[] } {
  const [first = '', ...others] = args;
  const words = first.trim().split(/\s+/);
  const isWhole = words.length === 1 && /[/:]/.test(first);
  const [kind = '', ...path] = isWhole ? splitAtFirst(words[0] ?? '') : words;
  const [rest, text] = path.length > 0 ? [others, path.join('')] : [others.slice(1), others[0] ?? ''];
  const match = /^(?:([^/#]+)\/)?([^/#]+)(?:#(.+))?$/s.exec(text);
  if (kind === '' || match === null) {
    const given = args.length === 0 ? 'there is none' : `"${args.join(' ')}" is none`;
    throw new UsageError(
      `name an object, such as httproute/cart, httproute/shop/cart or "HTTPRoute shop/cart#pay"; ${given}`,
    );
  }
  const [, namespace, name = '', section] = match;
  const parsed = {
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(section === undefined ? {} : { section }),
  };
  return { name: parsed, rest };
}

/** Splits `kind/name` and `kind.group:name`. */
function splitAtFirst(text: string): readonly [kind: string, path: string] {
  const at = text.search(/[/:]/);
  return [text.slice(0, at), text.slice(at + 1)];
}
