import { createRequire } from 'node:module';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postil API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

// A file of its own, because the Content-Security-Policy allows no inline script.
const script = `window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, docExpansion: 'list',
  defaultModelsExpandDepth: 0, tryItOutEnabled: true,
});
`;

/** Serves the API reference at /docs from files of the installation; nothing comes from another host. */
export async function mountApiDocs(server: FastifyInstance): Promise<void> {
  await server.register(fastifyStatic, {
    root: assets,
    prefix: '/docs/assets/',
    index: false,
    decorateReply: false,
  });
  server.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  server.get('/docs/page.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
}
