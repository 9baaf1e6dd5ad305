import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { redactCredentials } from '../redaction/redact-credentials.ts';

/** The mail server of the installation. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** Whether to use TLS from the first byte; otherwise STARTTLS is used if the server offers it. */
  readonly isSecure: boolean;
  /** Whether to send only after the connection was upgraded to TLS. */
  readonly requiresTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  /** The sender, in the format of the `From` header. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `rejected`: permanently. `unavailable`: certainly not accepted; can be retried. `unsure`: it may have been accepted. */
export type MailFault = 'rejected' | 'unavailable' | 'unsure';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly fault: MailFault;

  constructor(fault: MailFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** A connection to the mail server, ready to send one mail. */
export interface OpenMail {
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface Mailer {
  /** Connects and signs in. If this fails, nothing was sent. */
  open(): Promise<OpenMail>;
}

const connectMs = 15_000;
const silentMs = 30_000;
/** Longer than the other timeouts: it limits a server that keeps sending data without completing its answer. */
const defaultStepMs = 60_000;
const maxMessage = 300;

type Failure = Error & { readonly responseCode?: number; readonly response?: string };

function describe(settings: MailSettings, { response, message }: Failure): string {
  const said = redactCredentials((response ?? message).replaceAll(/\s+/g, ' ')).slice(0, maxMessage);
  return `the mail server ${settings.host}: ${said.toWellFormed()}`;
}

/** With an error response, the server has not accepted the mail. Without one, it is unknown once sending has begun. */
function asMailError(settings: MailSettings, error: Failure, isBegun: boolean): MailError {
  const { responseCode } = error;
  const hasAnswer = responseCode !== undefined && responseCode >= 400;
  const fault =
    hasAnswer && responseCode >= 500 && isBegun
      ? 'rejected'
      : hasAnswer || !isBegun
        ? 'unavailable'
        : 'unsure';
  return new MailError(fault, describe(settings, error), { cause: error });
}

/** Runs one step; the connection reports some faults to the step and some only as an event. */
function step(
  connection: SMTPConnection,
  maxMs: number,
  act: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(error?: Error | null) {
      clearTimeout(timer);
      connection.off('error', end);
      if (error) reject(error);
      else resolve();
    }
    const timer = setTimeout(() => {
      connection.close();
      end(new Error('it did not come to an end in time'));
    }, maxMs);
    connection.once('error', end);
    act(end);
  });
}

async function compose({ from }: MailSettings, mail: Mail): Promise<{ sender: string; message: Buffer }> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { sender: node.getEnvelope().from || '', message: await node.build() };
}

/** Sends mails through the mail server of the installation. The library is loaded on first use. */
export function createMailer(settings: MailSettings, { stepMs = defaultStepMs } = {}): Mailer {
  return {
    async open() {
      const { default: Connection } = await import('nodemailer/lib/smtp-connection');
      const connection = new Connection({
        host: settings.host,
        port: settings.port,
        secure: settings.isSecure,
        requireTLS: settings.requiresTls,
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        dnsTimeout: connectMs,
        socketTimeout: silentMs,
      });
      // Without a listener, an error that occurs between two steps would end the process.
      connection.on('error', () => {});
      try {
        await step(connection, stepMs, (done) => connection.connect(done));
        if (settings.auth !== undefined) {
          const { user, pass } = settings.auth;
          const credentials = { user, pass };
          await step(connection, stepMs, (done) => connection.login({ user, credentials }, done));
        }
      } catch (error) {
        connection.close();
        throw asMailError(settings, error as Failure, false);
      }
      return {
        async send(mail) {
          const { sender, message } = await compose(settings, mail);
          try {
            const envelope = { from: sender, to: [mail.to] };
            await step(connection, stepMs, (done) => connection.send(envelope, message, done));
          } catch (error) {
            throw asMailError(settings, error as Failure, true);
          }
        },
        close() {
          connection.quit();
          setTimeout(() => connection.close(), stepMs).unref();
        },
      };
    },
  };
}
