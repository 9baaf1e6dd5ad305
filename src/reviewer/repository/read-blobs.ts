import { endOf, type GitCall, startGit } from './run-git.ts';

/** Reads objects of a repository one after the other through one process. */
export interface BlobReader {
  /** The bytes of an object, by its id or as `revision:path`; undefined if it is missing or has more than so many. */
  read(id: string, maxBytes: number): Promise<Buffer | undefined>;
  /** For good: what is asked for from now on, or was not answered yet, fails. */
  close(): Promise<void>;
}

/** Takes bytes from a stream as they are asked for. */
class ByteQueue {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done) throw new Error('git ended before it had answered');
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end !== -1) {
        const line = this.#rest.subarray(0, end).toString();
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      await this.#more();
    }
  }

  async bytes(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) await this.#more();
      const part = this.#rest.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return Buffer.concat(parts);
  }

  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0) await this.#more();
      const skipped = Math.min(missing, this.#rest.length);
      missing -= skipped;
      this.#rest = this.#rest.subarray(skipped);
    }
  }
}

/** The process starts with the first object that is asked for, and lives until `close`. */
export function createBlobReader(given: GitCall): BlobReader {
  // It reads no file of a working copy, where a process that takes so long would be taken for one that waits for a pipe.
  const { GIT_WORK_TREE: _workingCopy, ...variables } = given.variables ?? {};
  const call = { ...given, variables };
  let child: ReturnType<typeof startGit> | undefined;
  let answers: ByteQueue;
  let ended: Promise<void> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function readNow(id: string, maxBytes: number): Promise<Buffer | undefined> {
    // Nobody would end another one.
    if (isClosed) throw new Error('the repository is not read any more');
    if (child === undefined) {
      child = startGit(['cat-file', '--batch'], call);
      child.stdin.on('error', () => {});
      answers = new ByteQueue(child.stdout);
      ended = endOf(child, call);
      ended.catch(() => {});
    }
    child.stdin.write(`${id}\n`);
    const answer = await answers.line();
    // With the name that was asked for, which may have spaces.
    if (/ (?:missing|ambiguous)$/.test(answer)) return undefined;
    const [, kind, size] = answer.split(' ');
    const length = Number(size);
    const isWanted = kind === 'blob' && length <= maxBytes;
    const bytes = isWanted ? await answers.bytes(length) : await answers.skip(length);
    await answers.skip(1);
    return bytes ?? undefined;
  }

  return {
    read(id, maxBytes) {
      const answer = last.then(() => readNow(id, maxBytes));
      last = answer.catch(() => {});
      return answer;
    },
    async close() {
      isClosed = true;
      child?.stdin.end();
      child?.kill('SIGKILL');
      await ended.catch(() => {});
    },
  };
}
