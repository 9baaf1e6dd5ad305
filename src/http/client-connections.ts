import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../lib/app-error.ts';
import { discardRest, interruptBody } from './request/request-body.ts';

/** A connection with so many requests waiting is not read from until some are answered. */
const maxWaiting = 100;
/** How many may wait on all connections together; beyond, a connection with more than its share is ended. */
const maxWaitingInAll = 10_000;

const patienceMs = 25_000;
const sweepMs = 50;

/** How many requests wait for the one before them, on all connections. */
interface Count {
  waiting: number;
}

/**
 * One connection. A client may send requests without waiting for the answers, which go out in the same order: so they are
 * worked on one after the other, and what waits costs little.
 */
class Connection {
  readonly #socket: Socket;
  readonly #all: Count;
  readonly #waiting: (() => void)[] = [];
  #current: IncomingMessage | undefined;
  /** The last request whose head has come; its body may still be coming. */
  #newest: IncomingMessage | undefined;
  #isHeld = false;
  #afterwards: (() => void) | undefined;

  constructor(socket: Socket, all: Count) {
    this.#socket = socket;
    this.#all = all;
    // The server goes on reading on its own account, for instance to get rid of a body.
    socket.on('resume', () => this.#isHeld && socket.pause());
    socket.once('close', () => this.#dropWaiting());
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  take(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    this.#newest = request;
    const begin = () => {
      this.#current = request;
      response.once('close', () => this.#goOn(request));
      listener(request, response);
    };
    if (this.isIdle) begin();
    else this.#wait(begin);
  }

  #wait(begin: () => void): void {
    this.#waiting.push(begin);
    this.#all.waiting += 1;
    if (this.#waiting.length < maxWaiting) return;
    if (this.#all.waiting > maxWaitingInAll) this.#socket.destroy();
    else this.#hold(true);
  }

  /** Ends the connection with this answer, because what came cannot be understood; requests before it are answered first. */
  giveUp(answer: () => string): void {
    if (this.#afterwards !== undefined) return;
    const broken = this.#newest?.complete === false ? this.#newest : undefined;
    this.#afterwards = () => {
      if (broken === undefined) this.#socket.end(answer());
      else this.#socket.end();
      // Read on, to notice that the client has gone as well.
      this.#hold(false);
    };
    this.#hold(true);
    if (this.isIdle) this.#afterwards();
    else if (broken !== undefined)
      interruptBody(broken, new AppError('INVALID_REQUEST', 'The body is not sent as HTTP demands'));
  }

  #goOn(answered: IncomingMessage): void {
    // An answer may have been the last one of its connection.
    if (!this.#socket.writable) this.#dropWaiting();
    else if (!answered.complete) discardRest(answered);
    // Only after the others had their turn: a thousand requests sent at once must not keep them waiting.
    if (this.#waiting.length > 0) setImmediate(() => this.#beginNext());
    else this.#beginNext();
  }

  #beginNext(): void {
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#afterwards?.();
      return;
    }
    this.#all.waiting -= 1;
    if (this.#waiting.length < maxWaiting && this.#afterwards === undefined) this.#hold(false);
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
  /** Has the listener called for one request of a connection at a time. */
  inTurn(listener: RequestListener): RequestListener;
  watch(server: Server): void;
  /** The answer is made only when it is sent. */
  giveUp(socket: Socket, answer: () => string): void;
  /**
   * Begins to close them although clients keep theirs open: those without a request at once and again as requests end,
   * the others when their time is over. Gives the function that ends this.
   */
  close(): () => void;
}

/** Keeps account of the connections of one server. */
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
    giveUp: (socket, answer) => of(socket).giveUp(answer),
    close() {
      const sweep = setInterval(() => {
        for (const [socket, { isIdle }] of open) if (isIdle) socket.end().destroySoon();
      }, sweepMs);
      const end = setTimeout(closeAll, patienceMs);
      return () => {
        clearInterval(sweep);
        clearTimeout(end);
      };
    },
  };
}
