import type { CheckAnswer } from '../checks/check-answer.ts';
import type { CheckQuestion, ShownForQuestions } from '../checks/check-question.ts';
import type { Finding } from '../finding.ts';
import { answerSchema, confirmSchema } from './answer/answer-schema.ts';
import { readRemovals } from './answer/read-answer.ts';
import { askModel } from './answering/answer-check.ts';
import { Budget } from './budget.ts';
import type { Snippet } from './context/snippet.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { Fence } from './fence.ts';
import { findLearnings } from './find-learnings.ts';
import type {
  ModelAnswer,
  ModelFinding,
  ModelRequest,
  ModelReviewer,
  ModelUsage,
  ShownPack,
} from './model-reviewer.ts';
import { defaultContextTokens, type ModelSettings, type ReviewLimits } from './model-settings.ts';
import { confirmInstructions, confirmPrompt, reviewInstructions, reviewPrompt } from './prompt.ts';
import type { ModelClient, ModelTool, Reply } from './question.ts';
import type { KnownFinding, LearningsForReview, PullRequestText } from './review-context.ts';
import { ShortfallLedger } from './shortfalls.ts';
import { type Beside, nothingBeside, Surroundings } from './surroundings.ts';
import { RepositoryTools } from './tools/repository-tools.ts';
import { toolsWithin } from './tools/tools-within.ts';

export interface ModelReviewOptions {
  readonly settings: ModelSettings;
  /** `maxUsd`: what the organization may still spend. */
  readonly limits: ReviewLimits & { readonly maxUsd?: number | undefined };
  /** Opens a client for the model that works until the deadline, in milliseconds since the epoch. */
  readonly openClient: (deadline: number) => ModelClient;
  readonly pullRequest?: PullRequestText | undefined;
  readonly learnings?: LearningsForReview | undefined;
  readonly knownFindings?: readonly KnownFinding[];
  /** The URL of the repository on its host; texts may link to nothing else. */
  readonly repositoryUrl?: string | undefined;
  /** Tools that the model may call; the caller closes them and reports their usage. */
  readonly tools?: OfferedTools | undefined;
  /** Called after each call with the total usage so far. */
  readonly onUsage?: ((total: ModelUsage) => Promise<void>) | undefined;
  /** How many tokens of the change one call shows. */
  readonly callTokens?: number;
}

export interface OfferedTools {
  /** The tools for a model; their results are fenced as data of its prompt. */
  offer(fence: Fence): readonly ModelTool[];
  /** Notes about tools that could not be offered. */
  readonly failures: readonly string[];
}

const defaultCallTokens = 16_000;
const maxOutputTokens = 8_000;
const leastOutputTokens = 500;
/** A smaller part of a change is of no use. */
const leastPackTokens = 500;
const instructionTokens = estimateTokens(reviewInstructions);
/** After this many failures in a row, the server is not asked again. */
const maxFailuresInARow = 2;

/** Creates a reviewer for a single review, with its own budget. */
export function createModelReviewer(options: ModelReviewOptions): ModelReviewer {
  let run: ModelRun | undefined;
  return {
    name: options.settings.name,
    review(request, signal) {
      run = new ModelRun(options, signal, request.deadline);
      return run.review(request);
    },
    used: () => run?.usage ?? null,
    async judge(question, shown) {
      if (run === undefined) return { missing: 'model_failed' };
      return run.judge(question, shown);
    },
    async confirm(findings) {
      if (run === undefined) throw new Error('there is nothing to confirm before a review');
      return run.confirm(findings);
    },
  };
}

type Pack = Pick<ShownPack, 'parts'>;
/** The state of a review. */
interface Course {
  readonly request: ModelRequest;
  readonly ledger: ShortfallLedger;
  readonly surroundings: Surroundings;
  readonly tools: RepositoryTools;
}
type AskOutcome = 'done' | 'failed' | 'hopeless' | 'budget' | 'time';

class ModelRun {
  readonly #options: ModelReviewOptions;
  readonly #caller: AbortSignal;
  readonly #deadline: AbortSignal | undefined;
  readonly #budget: Budget;
  readonly #client: ModelClient;
  readonly #findings: ModelFinding[] = [];
  readonly #failures = new Set<string>();
  /** The parts that were shown of files with findings, for the second pass. */
  readonly #shown = new Map<string, string>();
  readonly #context: Snippet[] = [];

  constructor(options: ModelReviewOptions, caller: AbortSignal, deadline: AbortSignal | undefined) {
    this.#options = options;
    this.#caller = caller;
    this.#deadline = deadline;
    this.#budget = new Budget(options.settings, options.limits, caller, deadline);
    this.#client = options.openClient(Date.now() + options.limits.maxSeconds * 1000);
  }

  get usage(): ModelUsage {
    return this.#budget.usage;
  }

  async judge(question: CheckQuestion, shown: ShownForQuestions): Promise<CheckAnswer> {
    return askModel(this.#client, this.#budget, question, shown, this.#options);
  }

  async review(request: ModelRequest): Promise<ModelAnswer> {
    const { callTokens = defaultCallTokens } = this.#options;
    const ledger = new ShortfallLedger(request.files);
    const surroundings = new Surroundings(
      request,
      this.#options.limits.contextTokens ?? defaultContextTokens,
    );
    const tools = new RepositoryTools(request.repository?.lookUp);
    const course = { request, ledger, surroundings, tools };
    let end: 'model_failed' | 'budget' | 'time' = 'model_failed';
    let failuresInARow = 0;
    // Half of the tokens that are left, to keep as many for the answer; a minimum, so that a small budget shows something.
    const roomForPack = () =>
      Math.max(
        leastPackTokens,
        Math.min(callTokens, Math.floor((this.#budget.tokensLeft - instructionTokens) / 2)),
      );
    for (let from: ShownPack['next'] = { file: 0, part: 0 }; from !== null; ) {
      const pack: ShownPack = await request.show(from, roomForPack());
      for (const { path, parts, isWhole } of pack.divided) {
        ledger.divide(path, parts);
        if (!isWhole) ledger.miss(path, 'budget');
      }
      from = pack.next && { ...pack.next, file: from.file + pack.next.file };
      if (pack.parts.length === 0) continue;
      const outcome = await this.#askWithinBudget(pack, course);
      if (outcome === 'budget' || outcome === 'time') {
        end = outcome;
        break;
      }
      failuresInARow = outcome === 'failed' ? failuresInARow + 1 : 0;
      if (outcome === 'hopeless' || failuresInARow >= maxFailuresInARow) break;
    }
    return {
      findings: this.#findings,
      shortfalls: ledger.close(end),
      failures: [...(this.#options.tools?.failures ?? []), ...this.#failures],
      guidelines: surroundings.guidelines,
      notes: surroundings.notes,
      usage: this.#budget.usage,
    };
  }

  /** Throws if the caller gave up. After a deadline it does not, because the findings so far are wanted then. */
  #throwIfStopped(): void {
    if (this.#deadline?.aborted !== true) this.#caller.throwIfAborted();
  }

  async #spend({ tokens, calls }: Reply, toolCalls?: number): Promise<void> {
    this.#budget.spend(tokens, calls, toolCalls);
    await this.#options.onUsage?.(this.#budget.usage);
  }

  /** Asks about a pack; if the budget does not suffice, divides it, down to one part of one file. */
  async #askWithinBudget(pack: Pack, course: Course): Promise<AskOutcome> {
    const outcome = await this.#ask(pack, course);
    if (outcome !== 'budget' || pack.parts.length === 1) return outcome;
    const half = Math.ceil(pack.parts.length / 2);
    const first = await this.#askWithinBudget({ parts: pack.parts.slice(0, half) }, course);
    if (first !== 'done' && first !== 'failed') return first;
    return this.#askWithinBudget({ parts: pack.parts.slice(half) }, course);
  }

  async #ask(pack: Pack, course: Course): Promise<AskOutcome> {
    const { request, surroundings } = course;
    const fence = new Fence();
    const learnings = await findLearnings(this.#options, pack.parts).catch(() => {
      this.#failures.add('the Learnings could not be read');
      return [];
    });
    const names = new Map(learnings.flatMap(({ id }, index) => [[`L${index + 1}`, id] as const, [id, id]]));
    const promptWith = (beside: Beside) =>
      reviewPrompt({
        pack,
        ...beside,
        configuration: request.configuration,
        pullRequest: this.#options.pullRequest,
        learnings: learnings.map(({ text }, index) => ({ id: `L${index + 1}`, text })),
        ruleFindings: request.ruleFindings,
        knownFindings: this.#options.knownFindings ?? [],
        fence,
      });
    const tokensOf = (data: string) => estimateTokens(reviewInstructions + data);
    const least = tokensOf(promptWith(nothingBeside));
    const outputFor = (input: number) => this.#budget.outputFor(input, maxOutputTokens, leastOutputTokens);
    const affordable = outputFor(least);
    if (typeof affordable !== 'number') return affordable;
    // Guidelines and context must not reduce the tokens for the answer, and are dropped first.
    const spare = this.#budget.inputFor(Math.min(affordable, Math.max(least, leastOutputTokens))) - least;
    const beside = await surroundings.of(pack, spare);
    const data = promptWith(beside);
    const input = tokensOf(data);
    const output = outputFor(input);
    if (typeof output !== 'number') return output;
    const offered = [...course.tools.offer(fence), ...(this.#options.tools?.offer(fence) ?? [])];
    const reply = await this.#client.ask(
      {
        instructions: reviewInstructions,
        data,
        schema: answerSchema,
        maxOutputTokens: output,
        ...toolsWithin(this.#budget, offered, { input, output }),
      },
      this.#budget.signal,
    );
    await this.#spend(reply, course.tools.calls);
    this.#throwIfStopped();
    const found = this.#findings.length;
    const isUsable = await this.#take(reply, pack, course, names, output < maxOutputTokens);
    if (this.#findings.length > found) this.#context.push(...beside.context);
    if (reply.fault !== undefined) this.#failures.add(`the model failed: ${reply.fault}`);
    if (this.#budget.isOutOfTime) return 'time';
    return reply.isHopeless ? 'hopeless' : isUsable ? 'done' : 'failed';
  }

  /** Keeps the valid findings of a reply, and records files with an incomplete review. Returns whether there is an answer. */
  async #take(
    reply: Reply,
    pack: Pack,
    { request, ledger }: Course,
    learnings: ReadonlyMap<string, string>,
    isShort: boolean,
  ): Promise<boolean> {
    const { text, isWhole } = reply;
    const paths = [...new Set(pack.parts.map(({ path }) => path))];
    const { repositoryUrl } = this.#options;
    const accepted = await request.accept({
      text,
      isWhole,
      paths,
      learnings: [...learnings],
      repositoryUrl,
    });
    this.#findings.push(...accepted.findings);
    const reason = this.#budget.isOutOfTime ? 'time' : isShort ? 'budget' : 'model_failed';
    for (const { path } of pack.parts) {
      if (accepted.hasAnswered) ledger.answer(path);
      if (accepted.isFaulty) ledger.miss(path, reason);
    }
    for (const path of accepted.misquoted) ledger.miss(path, 'model_failed');
    if (accepted.strays > 0)
      this.#failures.add('the model reported findings in files that are not part of the change');
    if (accepted.isFaulty && reply.fault === undefined)
      this.#failures.add('an answer of the model was cut off or had the wrong format');
    const told = new Set(accepted.findings.map(({ path }) => path));
    for (const part of pack.parts)
      if (told.has(part.path))
        this.#shown.set(part.path, `${this.#shown.get(part.path) ?? ''}${part.text}\n`);
    return accepted.hasAnswered;
  }

  /** The second pass, which can only remove findings. If it fails, all are kept. */
  async confirm(findings: readonly Finding[]) {
    const { callTokens = defaultCallTokens } = this.#options;
    const kept = new Set(findings.map(({ identity }) => identity));
    const room = Math.min(2 * callTokens, this.#budget.inputFor(leastOutputTokens));
    const promptWith = (context: readonly Snippet[]) =>
      confirmPrompt(findings, this.#shown, context, new Fence());
    const whole = promptWith(this.#context);
    const data = estimateTokens(confirmInstructions + whole) <= room ? whole : promptWith([]);
    const input = estimateTokens(confirmInstructions + data);
    const output = this.#budget.outputFor(input, maxOutputTokens, leastOutputTokens);
    if (typeof output === 'number' && input <= 2 * callTokens) {
      const question = { instructions: confirmInstructions, data, schema: confirmSchema };
      const reply = await this.#client.ask({ ...question, maxOutputTokens: output }, this.#budget.signal);
      await this.#spend(reply);
      this.#throwIfStopped();
      for (const number of await readRemovals(reply.text, reply.isWhole)) {
        const removed = findings[number - 1];
        if (removed !== undefined) kept.delete(removed.identity);
      }
    }
    return { kept, usage: this.#budget.usage };
  }
}
