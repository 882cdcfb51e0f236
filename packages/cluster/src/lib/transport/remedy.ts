/** The remedies for codes of the system about files and connections that are one too many. */
const remedies: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many open files and connections: raise its limit (ulimit -n)',
  ENFILE: 'this machine has too many open files and connections: raise its limit (sysctl fs.file-max)',
};

/** The codes of new connections that a load balancer with too many of them refuses, closes or leaves without an answer. */
const refusals: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Returns the remedy if a file or a connection cannot be opened because too many are open; `undefined` for other failures. */
export function openFilesRemedy(code: string | undefined): string | undefined {
  return code === undefined ? undefined : remedies[code];
}

/**
 * Returns the remedy for the failure of a new connection.
 *
 * @param code The system's code.
 * @param answered The number of other connections with answers from the server.
 * @returns The remedy; `undefined` if the code does not show one.
 */
export function connectionRemedy(code: string | undefined, answered: number): string | undefined {
  if (answered === 0 || code === undefined || !refusals.has(code)) return openFilesRemedy(code);
  return (
    `${answered} other connections to this server are open: if a load balancer limits their number, raise the limit, ` +
    'or watch fewer kinds and namespaces'
  );
}
