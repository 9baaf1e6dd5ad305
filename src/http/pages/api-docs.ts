import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isPackaged } from '../../lib/own-files.ts';
import { prepareContent } from '../reply/prepared-content.ts';
import { sendPrepared } from '../reply/send-answer.ts';
import { openStaticFolder } from './static-folder.ts';

/** The files that the page loads. */
export const assetFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
// The package contains copies, because the npm package of Swagger UI has a dependency that reports every installation.
const assets = isPackaged
  ? path.join(import.meta.dirname, 'api-docs')
  : path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

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

// In a separate file, because the Content-Security-Policy allows no inline scripts.
const script = `window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, docExpansion: 'list',
  defaultModelsExpandDepth: 0, tryItOutEnabled: true,
});
`;

/** Serves the API reference at /docs from local files; nothing is loaded from another host. */
export async function mountApiDocs(server: FastifyInstance): Promise<void> {
  const folder = openStaticFolder(assets);
  for (const file of assetFiles)
    server.get(`/docs/assets/${file}`, async (_request, reply) =>
      sendPrepared(reply, (await folder.find(file))!),
    );
  const documents = {
    '/docs': await prepareContent('text/html; charset=utf-8', page),
    '/docs/page.js': await prepareContent('text/javascript; charset=utf-8', script),
  };
  for (const [address, content] of Object.entries(documents))
    server.get(address, (_request, reply) => sendPrepared(reply, content));
}
