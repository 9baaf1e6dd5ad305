import { siblingModule } from '../../lib/own-files.ts';
import type { Change } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import type { AstGrepRule } from '../configuration/read-ast-grep-rules.ts';
import type { AnyRuleSource } from '../rule-source.ts';

/** The environment of work on untrusted code: a review process or, for tests, the current process. */
export interface Workplace {
  /** Aborts the work, which then rejects. */
  readonly signal: AbortSignal;
  /** Aborts when the time is up: the work must then skip the rest and return what it has. */
  readonly deadline: AbortSignal;
  /** Reads a change, or returns it from a cache. The caller must not close it. */
  openChange(source: ChangeSource): Promise<Change>;
  /** All rule sources, including the organization's own rules. */
  ruleSources(own: readonly AstGrepRule[], searchPath: string | undefined): Promise<readonly AnyRuleSource[]>;
  /** Reports progress; it arrives even if the process is killed a moment later. */
  report(progress: unknown): void;
  /** Makes the process end after this part. */
  retire(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: each part has a request and a result of its own
type Work = (request: any, place: Workplace) => Promise<unknown>;

/** The module of a part; its input and output are plain JSON. */
export interface PartModule {
  readonly work: Work;
}

/** A step of reading untrusted code in a review process, identified by its module. It takes seconds at most and is not durable. */
export interface Part<Module extends PartModule> {
  readonly module: string;
  /** Never set: only carries the type. */
  readonly type?: Module;
}

export type PartRequest<Module extends PartModule> = Parameters<Module['work']>[0];
export type PartResult<Module extends PartModule> = Awaited<ReturnType<Module['work']>>;

/** The part of a module whose path is relative to the caller. */
export function partAt<Module extends PartModule>(name: string, caller: string): Part<Module> {
  return { module: siblingModule(name, caller).href };
}

/** Who a part is done for, and its time limits. */
export interface PartOrder {
  /** The organization that the part is done for: groups take turns in the queue. */
  readonly group: string;
  readonly signal: AbortSignal;
  /** When it aborts, the part has a few seconds to complete. */
  readonly deadline?: AbortSignal | undefined;
  /** Somebody waits for the answer; such parts have a separate process and less time. */
  readonly isUrgent?: boolean;
  readonly onReport?: (progress: unknown) => void;
}

/** Runs parts, in the current process or in others. */
export interface PartRunner {
  run<Module extends PartModule>(
    part: Part<Module>,
    request: PartRequest<Module>,
    order: PartOrder,
  ): Promise<PartResult<Module>>;
}

/** Runs one part of a review. Concluding parts override the deadline with undefined, so that findings so far are kept. */
export type RunPart = <Module extends PartModule>(
  part: Part<Module>,
  request: PartRequest<Module>,
  order?: Pick<PartOrder, 'onReport' | 'deadline'>,
) => Promise<PartResult<Module>>;

/** Returns a function that runs the parts of one review, for its organization and with its deadline. */
export function partsOf(
  runner: PartRunner,
  order: Pick<PartOrder, 'group' | 'signal' | 'deadline'>,
): RunPart {
  return (part, request, own) => runner.run(part, request, { ...order, ...own });
}

/** The processes that read untrusted code. */
export interface ReviewProcesses extends PartRunner {
  /** Starts a process in advance, for work that will come soon. */
  warm(): void;
  /** Kills all of them immediately. */
  stop(): Promise<void>;
}
