import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint with trivial embeddings: a real model would take processor time from the cluster. */
export async function startEmbeddings(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as {
      input: string[];
    };
    const data = input.map((text, index) => ({
      index,
      embedding: [text.length, 1 + (text.charCodeAt(7) % 7), 1, 1],
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
