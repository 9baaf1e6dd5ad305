import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { notResponding, TlsNotOffered } from '../unavailable.ts';
import { type Encryption, tlsOptions } from './encryption.ts';

/** The message that asks a server whether it speaks TLS, before anything else. */
export const tlsRequest = Buffer.from('0000000804d2162f', 'hex');
/** Modes that fall back to no encryption if the server does not offer it. */
const optional = new Set<Encryption['mode']>(['allow', 'prefer']);

/** The error of a connection that the server closed. */
export function closedByServer(message = 'the server closed the connection'): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' });
}

/**
 * Opens a connection and encrypts it. postgres.js cannot do this: it removes all listeners from a socket that it encrypts, and
 * waits forever if the connection is closed meanwhile.
 *
 * Never rejects: without a socket, postgres.js would never use this connection again. Instead, a failure becomes an error of
 * the socket.
 */
export async function openEncrypted(
  { host, port }: { readonly host: string; readonly port: number },
  encryption: Encryption,
  maxMs: number,
): Promise<net.Socket> {
  let socket = net.connect({ host, port }).on('error', ignore);
  const deadline = setTimeout(() => {
    socket.destroy(notResponding());
  }, maxMs);
  try {
    const [options] = await Promise.all([tlsOptions(encryption, host), once(socket, 'connect')]);
    if (encryption.isDirect || (await offersTls(socket))) {
      socket = tls.connect({ socket, ...options });
      socket.on('error', ignore);
      await once(socket, 'secureConnect');
    } else if (!optional.has(encryption.mode)) {
      throw new TlsNotOffered(encryption.mode);
    }
    // The connection may have ended together with the last message, when nobody was listening for the end yet.
    if (socket.readableEnded || socket.destroyed) throw socket.errored ?? closedByServer();
    return socket;
  } catch (error) {
    socket.destroy();
    return new FailedSocket(error as Error);
  } finally {
    clearTimeout(deadline);
  }
}

/** Each wait handles errors itself. This listener is for one that occurs between two waits, which must not end the process. */
function ignore(): void {}

async function offersTls(socket: net.Socket): Promise<boolean> {
  const onEnd = () => void socket.destroy(closedByServer());
  socket.once('end', onEnd);
  socket.write(tlsRequest);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.off('end', onEnd);
  // A server that is about to encrypt sends exactly one byte. More could be plain text injected by an attacker.
  return reply.length === 1 && reply[0] === 'S'.charCodeAt(0);
}

/**
 * A connection that could not be opened. It fails only when it is first written to: postgres.js would never use a connection
 * again that is closed before its first message is sent.
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
