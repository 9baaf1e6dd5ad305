/** Messages to the launcher. */
export type ToLauncher =
  | { readonly kind: 'listening'; readonly address: string; readonly secret: string }
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly program: string;
      readonly args: readonly string[];
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'kill'; readonly id: number };

/** Messages from the launcher. */
export type FromLauncher =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'ended';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signalCode: NodeJS.Signals | null;
      /** The beginning of the standard error output. */
      readonly said: string;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: string | undefined;
      readonly message: string;
    };

/** Each connection starts with a greeting: the secret, the program's id and the name of its stream. */
export type StreamName = 'in' | 'out';
const idDigits = 10;

export function greeting(secret: string, id: number, stream: StreamName): string {
  return `${secret}${String(id).padStart(idDigits, '0')}${stream === 'in' ? 'i' : 'o'}`;
}

export const greetingLength = (secret: string) => secret.length + idDigits + 1;

export function readGreeting(secret: string, text: string): { id: number; stream: StreamName } | undefined {
  if (!text.startsWith(secret)) return undefined;
  return { id: Number(text.slice(secret.length, -1)), stream: text.endsWith('i') ? 'in' : 'out' };
}
