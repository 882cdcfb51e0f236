import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Credentials, sameTls } from './credentials.ts';

/** A request, with the credentials that determine its connection. */
export interface AgentRequest extends RequestOptions {
  readonly credentials: Credentials;
}

/** Connections to one server. */
export interface Agents {
  /** Begins a request on a free connection, or on a new one. */
  request(options: AgentRequest): ClientRequest;
  /** Returns the number of open connections with data from the server. */
  countAnswered(): number;
  /** Closes the connections that no request uses. */
  closeFree(): void;
  /** Closes all connections, also those in use. */
  close(): void;
}

/** After this time, TCP probes idle connections, to notice dead ones. */
const keepAliveAfter = 30_000;

/** The most connections that stay open without a request: one for each of the writes that a controller has in flight. */
const maxFreeSockets = 16;

/**
 * Creates the connections to a server: one for each request in flight. They are renewed when certificates change.
 *
 * @param protocol `https:` or `http:`.
 * @returns The connections.
 */
export function createAgents(protocol: string): Agents {
  const isHttps = protocol === 'https:';
  const create = ({ tls }: Credentials): Agent => {
    const options = { keepAlive: true, maxFreeSockets };
    return closingOnSurplus(isHttps ? new HttpsAgent({ ...options, ...tls }) : new HttpAgent(options));
  };
  let current: { readonly credentials: Credentials; readonly agent: Agent } | undefined;
  /** The current agent and the agents of earlier certificates, for as long as they have requests. */
  const agents = new Set<Agent>();

  const agentFor = (credentials: Credentials): Agent => {
    if (current !== undefined && sameTls(current.credentials, credentials)) return current.agent;
    for (const agent of agents) {
      agent.maxFreeSockets = 0;
      closeAll(agent.freeSockets);
      if (Object.keys(agent.sockets).length === 0) agents.delete(agent);
    }
    current = { credentials, agent: credentials.agent ?? create(credentials) };
    agents.add(current.agent);
    return current.agent;
  };

  return {
    request({ credentials, ...options }) {
      const request = (isHttps ? httpsRequest : httpRequest)({ ...options, agent: agentFor(credentials) });
      request.once('socket', (socket) => socket.setKeepAlive(true, keepAliveAfter));
      return request;
    },
    countAnswered() {
      const sockets = [...agents].flatMap((agent) => [...socketsIn(agent.sockets), ...socketsIn(agent.freeSockets)]);
      return sockets.filter(({ bytesRead, destroyed }) => bytesRead > 0 && !destroyed).length;
    },
    closeFree() {
      for (const agent of agents) closeAll(agent.freeSockets);
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

type Sockets = Agent['sockets'];

function socketsIn(sockets: Sockets) {
  return Object.values(sockets).flatMap((each) => each ?? []);
}

function closeAll(sockets: Sockets): void {
  for (const socket of socketsIn(sockets)) socket.destroy();
}

/** Makes an agent close each free connection that receives anything: otherwise the next request could be given a part of it. */
function closingOnSurplus(agent: Agent): Agent {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket) => {
    socket.on('data', destroy);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', destroy);
    reuse(socket, request);
  };
  return agent;
}

function destroy(this: Duplex): void {
  this.destroy();
}
