import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The paths that Git requests to read a repository; writing is not possible. */
const gitPath = /^\/[\w-]+\.git\/(?:info\/refs|git-upload-pack)$/;

const configuration = [
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['safe.directory', '*'],
  ['http.receivepack', 'false'],
].flatMap(([name, value], index) => [
  [`GIT_CONFIG_KEY_${index}`, name],
  [`GIT_CONFIG_VALUE_${index}`, value],
]);

function serve(
  folder: string,
  searchPath: string | undefined,
  request: http.IncomingMessage,
  response: http.ServerResponse,
) {
  const { pathname, search } = new URL(request.url!, 'http://demo');
  if (!gitPath.test(pathname)) return void response.writeHead(404).end();
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: searchPath,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: String(configuration.length / 2),
      ...Object.fromEntries(configuration),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROJECT_ROOT: folder,
      PATH_INFO: pathname,
      REQUEST_METHOD: request.method,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.on('error', () => response.destroy());
  request.pipe(backend.stdin).on('error', () => {});
  const said: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  backend.on('close', () => {
    const all = Buffer.concat(said);
    const end = all.indexOf('\r\n\r\n');
    const lines = all.subarray(0, Math.max(end, 0)).toString().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => line.split(': ') as [string, string]).filter(([name]) => name !== ''),
    );
    response.writeHead(end === -1 ? 500 : Number.parseInt(headers.Status ?? '200', 10), headers);
    response.end(all.subarray(end + 4));
  });
}

/** Serves the repositories of a folder to this machine only, with Git's own program. Returns the URL and a function to stop. */
export async function serveGit(folder: string, searchPath: string | undefined) {
  const server = http.createServer((request, response) => serve(folder, searchPath, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
