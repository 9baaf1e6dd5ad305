import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import helmet from 'helmet';

const middleware = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
  },
  strictTransportSecurity: false,
});

/** The headers that the middleware sets on every response; they never vary. */
function headersOnce(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response: Pick<ServerResponse, 'removeHeader'> & { setHeader(name: string, value: string): void } = {
    setHeader: (name, value) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => {},
  };
  middleware({} as IncomingMessage, response as ServerResponse, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
}

/** Headers that make browsers trust this origin only. */
export const securityHeaders: Readonly<Record<string, string>> = headersOnce();

/** Adds the headers that make browsers trust this origin only. */
export function addSecurityHeaders(reply: FastifyReply): void {
  reply.headers(securityHeaders);
}
