import { AppError } from '../../../lib/app-error.ts';
import { type Host, HostRefused, HostUnavailable } from '../hosts/host.ts';
import { hostFault } from '../open-host.ts';

const defaultAtOnce = 4;
const maxNamed = 3;

/** A part of a connection, such as one organization, that could not be read. */
export interface PartFault<Part> {
  readonly part: Part;
  readonly message: string;
  readonly cause: unknown;
}

/** Whether the error is about more than one part: the credentials are refused, or the host asks to wait. */
function concernsTheHost(error: unknown): boolean {
  return (
    (error instanceof HostRefused && error.status === 401) ||
    (error instanceof HostUnavailable && error.retryAfterSeconds !== null)
  );
}

/**
 * Works on the parts of a connection independently, a few at a time. A part whose answers are malformed, refused or time out
 * is returned as a fault and does not stop the others. If the host itself is at fault, the remaining parts are skipped.
 */
export async function eachOnItsOwn<Part>(
  host: Host,
  parts: readonly Part[],
  work: (part: Part) => Promise<void>,
  atOnce = defaultAtOnce,
): Promise<PartFault<Part>[]> {
  const faults: PartFault<Part>[] = [];
  const ended: unknown[] = [];
  const waiting = parts.values();
  async function attempt(part: Part): Promise<void> {
    try {
      await work(part);
    } catch (error) {
      const message = hostFault(error) ?? (error instanceof AppError ? error.message : undefined);
      if (message === undefined || concernsTheHost(error)) throw error;
      // Throws if the host as a whole is at fault, so that no time is spent on trying the other parts.
      await host.describeAccount();
      faults.push({ part, message, cause: error });
    }
  }
  async function runLane(): Promise<void> {
    for (const part of waiting) {
      if (ended.length > 0) return;
      await attempt(part).catch((error: unknown) => ended.push(error));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runLane));
  if (ended.length > 0) throw ended[0];
  return faults;
}

/** Some parts of a connection could not be read, and the others were. Names the parts, as a fault of the host. */
export class PartsUnread<Part> extends HostUnavailable {
  constructor(faults: readonly PartFault<Part>[], nameOf: (part: Part) => string) {
    const named = faults.slice(0, maxNamed).map(({ part, message }) => `${nameOf(part)}: ${message}`);
    const more = faults.length - named.length;
    const sentences = more > 0 ? [...named, `${more} more cannot be read`] : named;
    super(sentences.join('; '), null, { cause: faults[0]?.cause });
  }
}
