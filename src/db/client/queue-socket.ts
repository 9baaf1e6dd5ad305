import { once } from 'node:events';
import net from 'node:net';
import { Duplex } from 'node:stream';
import type { Host } from '../driver/database-url.ts';
import type { ServingHost } from '../driver/serving-host.ts';
import { openEncrypted } from '../driver/sockets/encrypted-socket.ts';
import type { Encryption } from '../driver/sockets/encryption.ts';

/** Must be shorter than the client's own timeout for connecting. */
const maxConnectMs = 20_000;

/** Finds the host to connect to. */
type Serving = Pick<ServingHost, 'find'> & Partial<Pick<ServingHost, 'keep' | 'forget'>>;

/**
 * The socket of a connection of the queue's client. It connects to the serving host, whatever host the client names, and
 * encrypts like all other connections; the client sees plain text.
 */
export class QueueSocket extends Duplex {
  readonly #serving: Serving;
  readonly #encryption: Encryption | undefined;
  #socket: net.Socket | undefined;

  constructor(serving: Serving, encryption: Encryption | undefined) {
    super();
    this.#serving = serving;
    this.#encryption = encryption;
  }

  connect(): this {
    this.#open().catch((error: Error) => this.destroy(error));
    return this;
  }

  async #open(): Promise<void> {
    const at: Host = await this.#serving.find();
    this.#serving.keep?.(at, this);
    this.once('close', () => this.#serving.forget?.(at));
    const socket =
      this.#encryption === undefined
        ? net.connect(at)
        : await openEncrypted(at, this.#encryption, maxConnectMs);
    this.#socket = socket;
    if (this.destroyed) return void socket.destroy();
    if (socket.connecting) await once(socket, 'connect');
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      if (!this.push(bytes)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    this.emit('connect');
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket!.write(bytes, done);
  }

  override _final(done: () => void): void {
    if (this.#socket === undefined) done();
    else this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket?.destroy();
    done(error);
  }

  // The other methods of a socket that the client calls. No delay is always on.
  setNoDelay(): void {}
  setKeepAlive(isOn: boolean, firstMs: number): void {
    this.#socket?.setKeepAlive(isOn, firstMs);
  }
  ref(): void {
    this.#socket?.ref();
  }
  unref(): void {
    this.#socket?.unref();
  }
}
