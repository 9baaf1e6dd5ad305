import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../lib/app-error.ts';
import { discardRest } from './request/discard-rest.ts';
import { interruptBody } from './request/request-body.ts';

/** The maximum number of pipelined requests on a connection; reading from it then pauses until some have been answered. */
const maxWaiting = 100;
/** The same for all connections together; beyond that, connections with too many of them are closed. */
const maxWaitingOverall = 10_000;

const shutdownMs = 25_000;
const sweepMs = 50;

/** The number of requests on all connections that wait for the previous one. */
interface Count {
  waiting: number;
}

/**
 * One connection. A client may pipeline requests: send them without waiting for the responses, which must be sent in the same
 * order. So requests are processed one by one, and a waiting one costs little.
 */
class Connection {
  readonly #socket: Socket;
  readonly #all: Count;
  readonly #waiting: (() => void)[] = [];
  readonly #destroySoon: () => void;
  #current: IncomingMessage | undefined;
  /** The last request whose head has arrived; its body may still be arriving. */
  #newest: IncomingMessage | undefined;
  #isHeld = false;
  #whenIdle: (() => void) | undefined;

  constructor(socket: Socket, all: Count) {
    this.#socket = socket;
    this.#all = all;
    this.#destroySoon = socket.destroySoon.bind(socket);
    // Node calls `destroySoon` after the last response, even if the client is still sending. Data that arrives at a destroyed
    // connection is answered with a reset, which makes the client lose the response. So the rest is read and discarded first.
    socket.destroySoon = () => (this.#isReceiving ? void socket.end() : this.#destroySoon());
    // Node resumes reading on its own, for instance to discard a body.
    socket.on('resume', () => this.#isHeld && socket.pause());
    socket.once('close', () => this.#dropWaiting());
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  get #isReceiving(): boolean {
    return this.#newest?.complete === false;
  }

  /** Closes the connection without waiting for the rest of a body that was already answered. */
  close(): void {
    this.#socket.end();
    this.#destroySoon();
  }

  take(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    this.#newest = request;
    if (!this.#socket.writable) {
      // A request after the last one that is answered: it is not processed.
      this.#hold(true);
      return;
    }
    const start = () => {
      this.#current = request;
      response.once('prefinish', () => {
        if (!request.complete) discardRest(request);
      });
      response.once('close', () => this.#finish());
      listener(request, response);
    };
    if (this.isIdle) start();
    else this.#wait(start);
  }

  #wait(start: () => void): void {
    this.#waiting.push(start);
    this.#all.waiting += 1;
    if (this.#waiting.length < maxWaiting) return;
    if (this.#all.waiting > maxWaitingOverall) this.#socket.destroy();
    else this.#hold(true);
  }

  /** Closes the connection with this response, because it received malformed data; earlier requests are answered first. */
  fail(answer: () => string): void {
    if (this.#whenIdle !== undefined) return;
    const broken = this.#isReceiving ? this.#newest : undefined;
    this.#whenIdle = () => {
      if (broken === undefined) this.#socket.end(answer());
      else this.#socket.end();
      // Keep reading, to notice when the client disconnects.
      this.#hold(false);
    };
    this.#hold(true);
    if (this.isIdle) this.#whenIdle();
    else if (broken !== undefined)
      interruptBody(broken, new AppError('INVALID_REQUEST', 'The body is not valid HTTP'));
  }

  #finish(): void {
    // The response may have been the last one of its connection.
    if (!this.#socket.writable) this.#dropWaiting();
    // Yield to other connections first: a thousand requests sent at once must not block them.
    if (this.#waiting.length > 0) setImmediate(() => this.#startNext());
    else this.#startNext();
  }

  #startNext(): void {
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#whenIdle?.();
      return;
    }
    this.#all.waiting -= 1;
    if (this.#waiting.length < maxWaiting && this.#whenIdle === undefined) this.#hold(false);
    next();
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else this.#socket.resume();
  }

  #dropWaiting(): void {
    this.#all.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}

/** The connections of a server. */
export interface ClientConnections {
  /** Calls the listener for one request per connection at a time. */
  inTurn(listener: RequestListener): RequestListener;
  watch(server: Server): void;
  /** Closes a connection that received malformed data; the response is built only when it is sent. */
  fail(socket: Socket, answer: () => string): void;
  /**
   * Starts closing connections that clients keep open: idle ones immediately and as requests finish, the rest after a
   * timeout. Returns a function that stops this.
   */
  close(): () => void;
}

/** Tracks the connections of one server. */
export function createClientConnections(): ClientConnections {
  const open = new Map<Socket, Connection>();
  const all: Count = { waiting: 0 };
  let closeAll = () => {};

  function of(socket: Socket): Connection {
    const known = open.get(socket);
    if (known !== undefined) return known;
    const connection = new Connection(socket, all);
    open.set(socket, connection);
    socket.once('close', () => open.delete(socket));
    return connection;
  }

  return {
    inTurn: (listener) => (request, response) => of(request.socket).take(request, response, listener),
    watch(server) {
      server.on('connection', of);
      closeAll = () => server.closeAllConnections();
    },
    fail: (socket, answer) => of(socket).fail(answer),
    close() {
      const sweep = setInterval(() => {
        for (const connection of open.values()) if (connection.isIdle) connection.close();
      }, sweepMs);
      const end = setTimeout(closeAll, shutdownMs);
      return () => {
        clearInterval(sweep);
        clearTimeout(end);
      };
    },
  };
}
