import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createMailer, MailError } from './mail.ts';

/** The server's answer to a command; `drip` is an answer that never ends, undefined is none. */
type Answers = (line: string) => string | 'drip' | undefined;

const sockets = new Set<Socket>();
const timers = new Set<NodeJS.Timeout>();
const servers: net.Server[] = [];
after(() => {
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/** Starts a mail server with this greeting and these answers, and returns a mailer for it. */
async function mailerAt(greeting: string, answers: Answers, stepMs: number) {
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(greeting);
    socket.on('data', (data) => {
      const answer = answers(data.toString());
      if (answer === 'drip') timers.add(setInterval(() => socket.write('250-and more\r\n'), 20));
      else if (answer !== undefined) socket.write(answer);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = {
    host: '127.0.0.1',
    port,
    isSecure: false,
    requiresTls: false,
    auth: undefined,
    from: 'postil@postil.test',
  };
  return createMailer(settings, { stepMs });
}

const mail = {
  to: 'a@one.test',
  subject: 'The week',
  text: 'text',
  html: '<p>text</p>',
  messageId: '<1@postil.test>',
  headers: {},
};
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof MailError ? error.fault : error),
  );

test('a silent server, or one that never completes its answer, times out before anything was sent', async () => {
  const silent = await mailerAt('', () => undefined, 500);
  const endless = await mailerAt('220 ready\r\n', () => 'drip', 500);
  for (const mailer of [silent, endless]) assert.equal(await faultOf(mailer.open()), 'unavailable');
});

test('if a server never answers whether it accepted a mail, the outcome is unsure', async () => {
  const answers = (line: string) => {
    if (/^(?:EHLO|MAIL|RCPT)/.test(line)) return '250 yes\r\n';
    if (line.startsWith('DATA')) return '354 go on\r\n';
    return 'drip';
  };
  // Long enough for all earlier steps on a slow machine; only the last one must time out.
  const mailer = await mailerAt('220 ready\r\n', answers, 10_000);
  const open = await mailer.open();
  assert.equal(await faultOf(open.send(mail)), 'unsure');
  open.close();
});
