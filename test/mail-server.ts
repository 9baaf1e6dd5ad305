import net, { type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

/** The reaction of the server to a complete mail: an answer, or a function that may close the connection or wait. */
export type MailReaction = string | ((socket: Socket, mail: ReceivedMail) => void | Promise<void>);

/** A mail server on its own port, with the part of SMTP that a client needs. */
export interface MailServer {
  readonly settings: {
    host: string;
    port: number;
    isSecure: false;
    requiresTls: false;
    auth: undefined;
    from: string;
  };
  /** The accepted mails. */
  readonly mails: ReceivedMail[];
  /** The answer to a recipient; 250 unless a test changes it. */
  answerRecipient: (address: string) => string;
  react: (mail: ReceivedMail) => MailReaction;
  close(): Promise<void>;
}

export const accepted = '250 accepted';

/** A header of a mail, unfolded: long ones continue in lines that begin with white space. Undefined if it is missing. */
export function headerOf({ source }: ReceivedMail, name: string): string | undefined {
  const [head] = source.split('\n\n', 1);
  return new RegExp(`^${name}:\\s*(.*)$`, 'mi').exec(head!.replaceAll(/\n[ \t]+/g, ' '))?.[1];
}

function converse(socket: Socket, server: MailServer): void {
  let from = '';
  let to = '';
  let source: string[] | undefined;
  const say = (line: string) => void socket.write(`${line}\r\n`);
  socket.on('error', () => {});
  say('220 mail.test ready');
  const answers: Record<string, (line: string) => string> = {
    EHLO: () => '250 mail.test',
    HELO: () => '250 mail.test',
    MAIL: (line) => {
      from = /<(.*?)>/.exec(line)![1]!;
      return accepted;
    },
    RCPT: (line) => {
      to = /<(.*?)>/.exec(line)![1]!;
      return server.answerRecipient(to);
    },
    DATA: () => {
      source = [];
      return '354 go on';
    },
    RSET: () => accepted,
  };
  async function end(mail: ReceivedMail) {
    const reaction = server.react(mail);
    if (typeof reaction !== 'string') return reaction(socket, mail);
    if (reaction.startsWith('2')) server.mails.push(mail);
    say(reaction);
  }
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  // The connection error of a killed client is emitted here as well.
  lines.on('error', () => {});
  lines.on('line', (line) => {
    if (source !== undefined) {
      if (line !== '.') return void source.push(line.replace(/^\.\./, '.'));
      const mail = { from, to, source: source.join('\n') };
      source = undefined;
      return void end(mail);
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'QUIT') return void socket.end('221 bye\r\n');
    say(answers[verb]?.(line) ?? '502 what?');
  });
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const listener = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, server);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const server: MailServer = {
    settings: {
      host: '127.0.0.1',
      port: (listener.address() as AddressInfo).port,
      isSecure: false,
      requiresTls: false,
      auth: undefined,
      from: 'Postil <postil@postil.test>',
    },
    mails: [],
    answerRecipient: () => accepted,
    react: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return server;
}
