import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream';
import { after } from 'node:test';

/**
 * A TCP proxy whose address is known before the server behind it starts, for settings that must contain the server's URL. It
 * keeps its port, so that no other process can take it in the meantime.
 */
export async function openFrontDoor() {
  let port = 0;
  const door = net.createServer((visitor) => {
    // Either side may close the connection at any time.
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
