import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream';
import { after } from 'node:test';

/**
 * A TCP proxy whose address is known before the server behind it starts, for settings that must contain the server's URL. It
 * keeps its port, so that no other process can take it in the meantime.
 */
export async function openFixedPortProxy() {
  let port = 0;
  const proxy = net.createServer((client) => {
    // Either side may close the connection at any time.
    pipeline(client, net.connect(port, '127.0.0.1'), client, () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => void proxy.close());
  return {
    url: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`,
    forwardTo(serverUrl: string) {
      port = Number(new URL(serverUrl).port);
    },
  };
}
