import { endOf, type GitCall, startGit } from './run-git.ts';

/** Reads objects of a repository one after the other, through a process that concurrent readers share. */
export interface BlobReader {
  /** The bytes of a blob, by its id or as `revision:path`; undefined if it is missing, another object, or too large. */
  read(id: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Later reads fail. */
  close(): Promise<void>;
}

/** Reads lines and bytes from a stream on demand. */
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

/** The maximum lifetime of a process. */
const processMs = 600_000;

/** A `git cat-file --batch` process, which answers one request after the other until it is ended. */
class ObjectProcess {
  /** The number of readers that use it; the last one ends it. */
  users = 0;
  readonly #startedMs = performance.now();
  readonly ended: Promise<void>;
  readonly #child: ReturnType<typeof startGit>;
  readonly #answers: ByteQueue;
  #last: Promise<unknown> = Promise.resolve();
  #hasFailed = false;

  constructor(call: GitCall) {
    this.#child = startGit(['cat-file', '--batch'], call);
    this.#child.stdin.on('error', () => {});
    this.#answers = new ByteQueue(this.#child.stdout);
    this.ended = endOf(this.#child, call).catch(() => {});
  }

  read(id: string, maxBytes: number): Promise<Buffer | undefined> {
    const answer = this.#last.then(() => this.#readNow(id, maxBytes));
    this.#last = answer.catch(() => {
      this.#hasFailed = true;
    });
    return answer;
  }

  /** Whether another reader can join it: not if a read has failed, or less than half of its lifetime is left. */
  get isJoinable(): boolean {
    return !this.#hasFailed && performance.now() - this.#startedMs < processMs / 2;
  }

  async #readNow(id: string, maxBytes: number): Promise<Buffer | undefined> {
    this.#child.stdin.write(`${id}\n`);
    const answer = await this.#answers.line();
    // The answer repeats the requested name, which may contain spaces.
    if (/ (?:missing|ambiguous)$/.test(answer)) return undefined;
    const [, kind, size] = answer.split(' ');
    const length = Number(size);
    const isWanted = kind === 'blob' && length <= maxBytes;
    const bytes = isWanted ? await this.#answers.bytes(length) : await this.#answers.skip(length);
    await this.#answers.skip(1);
    return bytes ?? undefined;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

/** Processes that readers can join, by call: the trees of a review and its change are read in the same repository. */
const joinable = new Map<string, ObjectProcess>();

function joinProcess(call: GitCall): ObjectProcess {
  // A process with an abort signal is not shared.
  const key = call.signal === undefined ? JSON.stringify(call) : undefined;
  const known = key === undefined ? undefined : joinable.get(key);
  const isJoined = known?.isJoinable === true;
  const joined = isJoined ? known : new ObjectProcess(call);
  joined.users += 1;
  if (key === undefined || isJoined) return joined;
  joinable.set(key, joined);
  void joined.ended.then(() => {
    if (joinable.get(key) === joined) joinable.delete(key);
  });
  return joined;
}

async function leaveProcess(joined: ObjectProcess): Promise<void> {
  joined.users -= 1;
  if (joined.users > 0) return;
  for (const [key, known] of joinable) if (known === joined) joinable.delete(key);
  await joined.end();
}

/** Creates a reader that joins or starts a process at the first read, and leaves it at `close`. */
export function createBlobReader(given: GitCall): BlobReader {
  // Without a working copy, of which it reads no file: long-running processes in one are suspected of blocking on a pipe.
  const { GIT_WORK_TREE: _workingCopy, ...variables } = given.variables ?? {};
  const call = { ...given, variables, timeoutMs: processMs };
  let joined: ObjectProcess | undefined;
  let isClosed = false;
  return {
    async read(id, maxBytes) {
      // A new process would never be ended.
      if (isClosed) throw new Error('the repository is not read any more');
      joined ??= joinProcess(call);
      return joined.read(id, maxBytes);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (joined !== undefined) await leaveProcess(joined);
    },
  };
}
