import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const yearMs = 365 * 24 * 60 * 60 * 1000;

const notBuiltYet = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Postil</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0 1rem; }
</style>
</head>
<body>
<main><h1>The dashboard is being built</h1><p>This takes some seconds once. The page comes by itself; the API is ready already.</p></main>
</body>
</html>
`;

/** An address that a person opens in a browser, and that belongs to no part of the API; the root is nothing else, whoever asks. */
function isPage(request: FastifyRequest, reserved: ReadonlySet<string>): boolean {
  const path = (request.raw.url ?? '').split('?', 1)[0]!;
  const [, first = ''] = path.split('/');
  return path === '/' || ((request.headers.accept ?? '').includes('text/html') && !reserved.has(first));
}

/**
 * Serves the built dashboard: its page at every address that is not the API's, so that deep links work, and its
 * files, whose names change with their content, for a year.
 */
export async function mountDashboardPages(
  server: FastifyInstance,
  folder: string,
  apiPaths: readonly string[],
): Promise<void> {
  const reserved = new Set([...apiPaths.map((apiPath) => apiPath.split('/')[1]!), 'v1', 'docs', 'assets']);
  // The folder above: the built one may not be there yet, and every file is sent from a place of its own.
  await server.register(fastifyStatic, { root: path.dirname(folder), serve: false });

  server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.sendFile(request.params['*'], path.join(folder, 'assets'), { immutable: true, maxAge: yearMs }),
  );

  server.get('/*', async (request, reply): Promise<FastifyReply> => {
    if (!isPage(request, reserved)) {
      reply.callNotFound();
      return reply;
    }
    const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    return page === undefined
      ? reply.code(503).header('retry-after', '2').send(notBuiltYet)
      : reply.send(page);
  });
}
