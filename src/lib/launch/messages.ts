/** What the launcher is told. */
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

/** What it tells. */
export type FromLauncher =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'ended';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signalCode: NodeJS.Signals | null;
      /** The beginning of what was written to standard error. */
      readonly said: string;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: string | undefined;
      readonly message: string;
    };

/** Each connection says first whose it is, and which of its streams. */
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
