import type { HttpRequest } from '@policy-machinery/gateway-api';
import type { Report } from '../data/report.ts';
import type { NodeId, PolicyId } from '../data/report-data.ts';

export type Question =
  | { readonly about: 'target'; readonly node: NodeId }
  | { readonly about: 'policy'; readonly policy: PolicyId }
  | { readonly about: 'request'; readonly request: HttpRequest; readonly usualPort: number }
  | { readonly about: 'nothing'; readonly why: string };

/** Reads questions: the name of a target or policy as the page writes it, regardless of case, or a request. */
export class Questions {
  readonly #names = new Map<string, Question>();

  constructor({ nodes, policies }: Report) {
    for (const { id, label } of policies) this.#names.set(label.toLowerCase(), { about: 'policy', policy: id });
    for (const { id, label } of nodes) this.#names.set(label.toLowerCase(), { about: 'target', node: id });
  }

  /**
   * Reads a question.
   *
   * @param text Such as `HTTPRoute shop/cart#pay`, `GET https://shop.example.com/cart` or `POST https://shop.example.com/cart -H "x-canary: yes"`.
   */
  read(text: string): Question {
    const asked = text.trim();
    const named = this.#names.get(asked.replaceAll(/\s+/g, ' ').toLowerCase());
    if (named !== undefined) return named;
    if (asked === '') return { about: 'nothing', why: 'Ask for a target, a policy or a request.' };
    return (
      readRequest(asked) ?? {
        about: 'nothing',
        why: `Nothing here is named “${asked}”. Choose one of the suggestions, or write a request such as GET https://shop.example.com/cart.`,
      }
    );
  }
}

const form = /^(?:([A-Za-z]+)\s+)?(https?:\/\/\S+)((?:\s+-H\s*(?:"[^"]*"|'[^']*'|[^\s"']\S*))*)$/;

/** Returns the request in a text of a method, a URL and headers, written as for curl; `undefined` if the text is not a request. */
function readRequest(text: string): Question | undefined {
  const [, method = 'GET', address = '', headers = ''] = form.exec(text) ?? [];
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, pathname, search } = new URL(address);
  const request = {
    method: method.toUpperCase(),
    host: hostname,
    path: pathname + search,
    headers: headersIn(headers),
  };
  const usualPort = protocol === 'https:' ? 443 : 80;
  return { about: 'request', request: port === '' ? request : { ...request, port: Number(port) }, usualPort };
}

function headersIn(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/-H\s*(?:"([^"]*)"|'([^']*)'|(\S+))/g)].flatMap(([, double, single, plain]) => {
    const header = double ?? single ?? plain ?? '';
    const colon = header.indexOf(':');
    return colon < 1 ? [] : [[header.slice(0, colon).trim(), header.slice(colon + 1).trim()] as const];
  });
}
