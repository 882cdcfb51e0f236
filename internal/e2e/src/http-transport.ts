import type { Transport } from '@policy-machinery/testing';

/** Returns a transport over plain HTTP, for a proxy or a fake API server on this machine. */
export function httpTransport(url: string): Transport {
  return {
    async request({ method, path, query, headers = {}, body, signal }) {
      const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
      const response = await fetch(`${url}${path}${search}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: () => response.text(),
        json: () => response.json(),
        lines: () => linesOf(response),
      };
    },
  };
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}
