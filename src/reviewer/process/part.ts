import { siblingModule } from '../../lib/own-files.ts';
import type { Change } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import type { AstGrepRule } from '../configuration/read-ast-grep-rules.ts';
import type { AnyRuleSource } from '../rule-source.ts';

/** What work on foreign code finds where it is done: in a review process or, for tests, right here. */
export interface Workplace {
  /** Stops the work, which then rejects. */
  readonly signal: AbortSignal;
  /** Ends the time for it: what was not looked at by then is left out, and the work comes to its end. */
  readonly deadline: AbortSignal;
  /** Reads a change; one that was read a moment ago is still there. It must not be closed. */
  openChange(source: ChangeSource): Promise<Change>;
  /** Every source of rules, with the organization's own rules. */
  ruleSources(own: readonly AstGrepRule[], searchPath: string | undefined): Promise<readonly AnyRuleSource[]>;
  /** Tells how far the work has come; heard even if the process is killed a moment later. */
  report(progress: unknown): void;
  /** Has the process end after this part. */
  retire(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: each part has a request and a result of its own
type Work = (request: any, place: Workplace) => Promise<unknown>;

/** The module of a part: what it does, with plain JSON in and out. */
export interface PartModule {
  readonly work: Work;
}

/** Work on foreign code that takes seconds at most, named by its module. */
export interface Part<Module extends PartModule> {
  readonly module: string;
  /** Never set: carries the type. */
  readonly type?: Module;
}

export type PartRequest<Module extends PartModule> = Parameters<Module['work']>[0];
export type PartResult<Module extends PartModule> = Awaited<ReturnType<Module['work']>>;

/** Names a part by the module beside the caller. */
export function partAt<Module extends PartModule>(name: string, caller: string): Part<Module> {
  return { module: siblingModule(name, caller).href };
}

/** For whom a part is done, and until when. */
export interface PartOrder {
  /** Who shares a place in the queue: an organization. */
  readonly group: string;
  readonly signal: AbortSignal;
  /** When it aborts, the part has a few seconds to come to its end. */
  readonly deadline?: AbortSignal | undefined;
  /** Somebody waits for the answer; such parts have a process of their own and little time. */
  readonly isUrgent?: boolean;
  readonly onReport?: (progress: unknown) => void;
}

/** Does parts of work; where, is its own affair. */
export interface PartRunner {
  run<Module extends PartModule>(
    part: Part<Module>,
    request: PartRequest<Module>,
    order: PartOrder,
  ): Promise<PartResult<Module>>;
}

/** Does one part of a review. What concludes it names no deadline: what was found by then is kept. */
export type RunPart = <Module extends PartModule>(
  part: Part<Module>,
  request: PartRequest<Module>,
  order?: Pick<PartOrder, 'onReport' | 'deadline'>,
) => Promise<PartResult<Module>>;

/** Does the parts of one review, for its organization and within its time. */
export function partsOf(
  runner: PartRunner,
  order: Pick<PartOrder, 'group' | 'signal' | 'deadline'>,
): RunPart {
  return (part, request, own) => runner.run(part, request, { ...order, ...own });
}

/** The processes that read foreign code. */
export interface ReviewProcesses extends PartRunner {
  /** Starts one, for work that will come in a moment. */
  warm(): void;
  /** Ends all of them at once, whatever they are doing. */
  stop(): Promise<void>;
}
