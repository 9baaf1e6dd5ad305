import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPrepared } from '../reply/send-answer.ts';
import { openStaticFolder } from './static-folder.ts';

const keptForAYear = 'public, max-age=31536000, immutable';

const frame = (head: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>Postil</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0 1rem; }
</style>
</head>
<body>
<main>${body}</main>
</body>
</html>
`;

const beingBuilt = frame(
  '<meta http-equiv="refresh" content="2">\n',
  '<h1>The dashboard is being built</h1><p>This takes a few seconds, once. The page then appears by itself; the API is ready.</p>',
);

const notBuilt = frame(
  '',
  '<h1>The dashboard could not be built</h1><p>The log of the server has the reason; often the installation folder cannot be written. ' +
    'Run <code>node dashboard/build.ts</code> there as a user who may write to it, then reload this page. The API works.</p>',
);

/** Whether the request opens a page in a browser, rather than calling the API. The root always counts as a page. */
function isPage(request: FastifyRequest, reserved: ReadonlySet<string>): boolean {
  const address = (request.raw.url ?? '').split('?', 1)[0]!;
  const [, first = ''] = address.split('/');
  return address === '/' || ((request.headers.accept ?? '').includes('text/html') && !reserved.has(first));
}

/**
 * Serves the built dashboard: its page at every path that is not the API's, so that deep links work, and its files, which can
 * be cached for a year because their names change with their content.
 */
export async function mountDashboardPages(
  server: FastifyInstance,
  folder: string,
  apiPaths: readonly string[],
  hasBuildFailed: () => boolean = () => false,
): Promise<void> {
  const reserved = new Set([...apiPaths.map((apiPath) => apiPath.split('/')[1]!), 'v1', 'docs', 'assets']);
  const pages = openStaticFolder(folder);
  const files = openStaticFolder(path.join(folder, 'assets'));

  server.get<{ Params: { '*': string } }>('/assets/*', async (request, reply): Promise<FastifyReply> => {
    const file = await files.find(request.params['*']);
    if (file !== undefined) return sendPrepared(reply, file, keptForAYear);
    reply.callNotFound();
    return reply;
  });

  server.get('/*', async (request, reply): Promise<FastifyReply> => {
    if (!isPage(request, reserved)) {
      reply.callNotFound();
      return reply;
    }
    const page = await pages.find('index.html');
    if (page !== undefined) return sendPrepared(reply, page);
    reply.code(503).type('text/html; charset=utf-8');
    return hasBuildFailed() ? reply.send(notBuilt) : reply.header('retry-after', '2').send(beingBuilt);
  });
}
