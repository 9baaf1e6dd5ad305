import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

const addHeaders = helmet({
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

/** Tells browsers, in one answer, to trust this origin only. */
export function addSecurityHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  addHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined));
}
