import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import postgres from 'postgres';
import { notResponding } from '../unavailable.ts';

/** How a connection is to be encrypted. */
export interface Encryption {
  /** As in `sslmode`: `require`, `allow` and `prefer` do not verify the certificate, any other mode does. */
  readonly mode: string;
  /** TLS from the first byte on, without asking the server for it. */
  readonly isDirect: boolean;
}

/** What a URL, or the environment, says about encryption; undefined if there is to be none. */
export function encryptionOf(url: string): Encryption | undefined {
  // A client without connections: only postgres.js itself knows how it reads a URL.
  const { options } = postgres(url, { max: 0 });
  if (!('ssl' in options))
    throw new Error(
      'postgres.js has changed: its options no longer have `ssl` (see src/db/driver/README.md)',
    );
  const { ssl, sslnegotiation } = options as { ssl: string | false; sslnegotiation?: string | null };
  return ssl ? { mode: ssl, isDirect: sslnegotiation === 'direct' } : undefined;
}

/** The message that asks a server whether it speaks TLS, before anything else. */
export const tlsRequest = Buffer.from('0000000804d2162f', 'hex');
const unverified = new Set(['require', 'allow', 'prefer']);

/** The error of a connection that the server closed. */
export function closedByServer(message = 'the server closed the connection'): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' });
}

/**
 * Opens a connection and encrypts it. We do it ourselves because postgres.js removes every listener from a socket that it
 * encrypts, and waits forever if the connection is closed meanwhile.
 *
 * Never rejects: without a socket, postgres.js would not use this connection again. A failure becomes that of the socket.
 */
export async function openEncrypted(
  { host, port }: { readonly host: string; readonly port: number },
  { mode, isDirect }: Encryption,
  maxMs: number,
): Promise<net.Socket> {
  let socket = net.connect({ host, port }).on('error', ignore);
  const deadline = setTimeout(() => {
    socket.destroy(notResponding());
  }, maxMs);
  try {
    await once(socket, 'connect');
    if (isDirect || (await offersTls(socket))) {
      socket = tls.connect({
        socket,
        host,
        servername: net.isIP(host) ? '' : host,
        ...(unverified.has(mode) && { rejectUnauthorized: false }),
        ...(isDirect && { ALPNProtocols: ['postgresql'] }),
      });
      socket.on('error', ignore);
      await once(socket, 'secureConnect');
    } else if (mode !== 'prefer') {
      throw closedByServer(`the server does not offer TLS, and sslmode is ${mode}`);
    }
    // The end may have come together with the last message: whoever listens from now on would not hear of it.
    if (socket.readableEnded || socket.destroyed) throw socket.errored ?? closedByServer();
    return socket;
  } catch (error) {
    socket.destroy();
    return new FailedSocket(error as Error);
  } finally {
    clearTimeout(deadline);
  }
}

/** An error is heard by whoever waits; one that comes between two waits must not end the process. */
function ignore(): void {}

async function offersTls(socket: net.Socket): Promise<boolean> {
  const onEnd = () => void socket.destroy(closedByServer());
  socket.once('end', onEnd);
  socket.write(tlsRequest);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.off('end', onEnd);
  // More than the one byte was not sent by a server that is about to encrypt: nobody may slip in plain text.
  return reply.length === 1 && reply[0] === 'S'.charCodeAt(0);
}

/**
 * A connection that could not be opened. It fails when it is first written to and not before: postgres.js would never
 * again write to a connection that is closed while its first message waits to be sent.
 */
export class FailedSocket extends net.Socket {
  readonly #reason: Error;

  constructor(reason: Error) {
    super();
    this.#reason = reason;
  }

  override _write(_bytes: unknown, _encoding: unknown, done: (error: Error) => void): void {
    done(this.#reason);
  }
}
