import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { notResponding, TlsNotOffered } from '../unavailable.ts';
import { type Encryption, tlsOptions } from './encryption.ts';

/** The message that asks a server whether it speaks TLS, before anything else. */
export const tlsRequest = Buffer.from('0000000804d2162f', 'hex');
/** Modes that do without, where the server does not offer it. */
const optional = new Set<Encryption['mode']>(['allow', 'prefer']);

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
