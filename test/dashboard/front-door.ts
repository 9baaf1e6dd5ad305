import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream';
import { after } from 'node:test';

/**
 * An address that is known before the server that is reached through it, for what must be told in advance where the server will
 * be. Nobody else can take the port in the meantime.
 */
export async function openFrontDoor() {
  let port = 0;
  const door = net.createServer((visitor) => {
    // Either side may hang up at any time.
    pipeline(visitor, net.connect(port, '127.0.0.1'), visitor, () => undefined);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  after(() => void door.close());
  return {
    url: `http://127.0.0.1:${(door.address() as net.AddressInfo).port}`,
    leadTo(serverUrl: string) {
      port = Number(new URL(serverUrl).port);
    },
  };
}
