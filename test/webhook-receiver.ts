import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
  readonly event: any;
}

/** The reaction of the receiver to a call: a status, or a function that may answer. */
export type Reaction = number | ((response: http.ServerResponse, call: ReceivedWebhook) => void);

export interface WebhookReceiver {
  readonly url: string;
  readonly calls: ReceivedWebhook[];
  /** The answer to a call; 204 unless a test changes it. */
  react: (call: ReceivedWebhook) => Reaction;
  /** Resolves when this many calls have arrived. */
  received(count: number): Promise<ReceivedWebhook[]>;
  close(): Promise<void>;
}

/** Throws unless the public library accepts the signature for this secret. */
export function verify(secret: string, { body, headers }: ReceivedWebhook): void {
  new Webhook(secret).verify(body, headers);
}

/** A receiver of webhooks on its own port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedWebhook[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const headers = request.headers as Record<string, string>;
    const call = { path: request.url!, headers, body, event: JSON.parse(body) };
    const reaction = receiver.react(call);
    calls.push(call);
    if (typeof reaction === 'number') response.writeHead(reaction).end(reaction === 204 ? '' : 'an answer');
    else reaction(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    react: () => 204,
    async received(count) {
      while (calls.length < count) await sleep(20);
      return calls;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
