import { createHash } from 'node:crypto';
import { type SeededRandom, seededRandom } from '../../../lib/seeded-random.ts';
import { resolveConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import { isSample, stateOf } from '../../../reviewer/judge/attention.ts';
import {
  type DemoPerson,
  type DemoRepository,
  demoHost,
  demoPeople,
  demoRepositories,
  organizationName,
} from '../company.ts';
import { type RaisingRule, raisingRules } from './rules.ts';
import { paths, pullTitles } from './titles.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** The number of days that the history covers. */
export const historyDays = 181;
/** The number of days before the end from which on a model also reviews changes. */
const modelDays = 118;
const pullsPerWeek = 17;
/** The number of days before the end at which the stories start. */
const storyDays = 62;

export interface PastFinding {
  readonly id: string;
  readonly rule: RaisingRule;
  readonly path: string;
  readonly line: number;
  readonly isPosted: boolean;
  readonly accepted: boolean | null;
}

/** A completed pull request, or an open one in a repository whose code the demo does not have. */
export interface PastPull {
  readonly repository: DemoRepository;
  readonly number: number;
  readonly title: string;
  readonly author: DemoPerson;
  readonly reviewer: DemoPerson;
  readonly state: 'merged' | 'closed' | 'open';
  readonly openedAt: Date;
  readonly reviewedAt: Date;
  readonly endedAt: Date;
  readonly size: { readonly added: number; readonly removed: number; readonly files: number };
  readonly pushes: number;
  readonly url: string;
  readonly base: string;
  /** The commits that were reviewed. */
  readonly heads: readonly string[];
  readonly costUsd: number;
  readonly findings: readonly PastFinding[];
}

export interface History {
  readonly pulls: readonly PastPull[];
  /** The rules that became quiet, and when. */
  readonly quietSince: ReadonlyMap<string, Date>;
}

/** The number of the first pull request with code, by repository. */
export type FirstNumbers = Readonly<Record<string, number>>;

function hashOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex');
}

function weighted<T extends { readonly weight: number }>(random: SeededRandom, items: readonly T[]): T {
  let left = random.next() * items.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  return items.at(-1)!;
}

/** A time within working hours, a number of days before the end. */
function workingTime(random: SeededRandom, end: Date, day: number): Date {
  const at = new Date(end.getTime() - day * dayMs);
  at.setUTCHours(8 + random.below(9), random.below(60), random.below(60), 0);
  const weekday = at.getUTCDay();
  if (weekday === 0 || weekday === 6) at.setTime(at.getTime() - (weekday === 0 ? 2 : 1) * dayMs);
  return at;
}

/** The next time within working hours. */
function atWork(time: Date): Date {
  const at = new Date(time);
  if (at.getUTCHours() >= 18) at.setUTCHours(32, at.getUTCMinutes());
  if (at.getUTCHours() < 7) at.setUTCHours(8, at.getUTCMinutes());
  while (at.getUTCDay() % 6 === 0) at.setTime(at.getTime() + dayMs);
  return at;
}

/** The outcomes of rules in the course of the history: a rule whose findings are ignored becomes quiet. */
class RuleMemory {
  /** When each rule became quiet. */
  readonly quietSince = new Map<string, Date>();
  readonly #known = new Map<string, { accepted: number; rejected: number; pulls: Set<string> }>();
  readonly #attention = resolveConfiguration().reviews.attention;

  isPosted(rule: string, findingId: string): boolean {
    return !this.#isQuiet(rule) || isSample(findingId);
  }

  #isQuiet(rule: string): boolean {
    const { accepted = 0, rejected = 0, pulls = new Set() } = this.#known.get(rule) ?? {};
    const record = { rule, accepted, rejected, pullRequests: pulls.size, setting: 'automatic' } as const;
    return stateOf(record, this.#attention) === 'quiet';
  }

  note(rule: string, pull: string, accepted: boolean, at: Date): void {
    const known = this.#known.get(rule) ?? { accepted: 0, rejected: 0, pulls: new Set<string>() };
    known[accepted ? 'accepted' : 'rejected'] += 1;
    known.pulls.add(pull);
    this.#known.set(rule, known);
    if (!this.#isQuiet(rule)) this.quietSince.delete(rule);
    else if (!this.quietSince.has(rule)) this.quietSince.set(rule, at);
  }
}

/**
 * Creates half a year of pull requests; the same end always gives the same result. The share of accepted findings grows with
 * time.
 */
export function makeHistory(end: Date, firstNumbers: FirstNumbers): History {
  const random = seededRandom(1871);
  const memory = new RuleMemory();
  const numbers = new Map<string, number>();
  const count = Math.round((historyDays / 7) * pullsPerWeek);
  const days = Array.from({ length: count }, () => 0.4 + random.next() * (historyDays - 1)).sort(
    (a, b) => b - a,
  );
  const pulls: PastPull[] = [];
  for (const day of days) {
    // In the last part, repositories with code have the pull requests of their story instead.
    const repository = weighted(
      random,
      demoRepositories.filter(({ id }) => day > storyDays || firstNumbers[id] === undefined),
    );
    const number = (numbers.get(repository.id) ?? 0) + 1;
    if (number >= (firstNumbers[repository.id] ?? Number.POSITIVE_INFINITY)) continue;
    numbers.set(repository.id, number);
    pulls.push(makePull(random, memory, { end, day, repository, number }));
  }
  return { pulls, quietSince: memory.quietSince };
}

interface Begun {
  readonly end: Date;
  readonly day: number;
  readonly repository: DemoRepository;
  readonly number: number;
}

function makePull(
  random: SeededRandom,
  memory: RuleMemory,
  { end, day, repository, number }: Begun,
): PastPull {
  const team = demoPeople.filter((person) => person.team === repository.team);
  const author = random.pick(random.chance(0.85) ? team : demoPeople);
  const reviewer = random.pick(team.filter((person) => person !== author));
  const openedAt = workingTime(random, end, day);
  // Reviews became faster: from two days at first to less than one now.
  const hours = (6 + random.next() * 60) * (0.45 + (0.55 * day) / historyDays);
  const endedAt = atWork(new Date(openedAt.getTime() + hours * hourMs));
  const isOver = endedAt < end;
  const state = !isOver ? 'open' : random.chance(0.06) ? 'closed' : 'merged';
  const titles = pullTitles[repository.language];
  const url = `${demoHost.url}/${organizationName}/${repository.name}/pulls/${number}`;
  const pushes = random.below(3);
  const key = `${repository.id}/${number}`;
  const wanted = random.chance(0.28) ? 0 : 1 + random.below(random.chance(0.15) ? 6 : 3);
  const findings = Array.from({ length: wanted }, (_, index): PastFinding => {
    const rule = weighted(random, raisingRules[repository.language]);
    const id = hashOf(key, 'finding', index).slice(0, 32);
    const isPosted = memory.isPosted(rule.name, id);
    const willing = rule.heeded < 0.2 ? 0 : 0.16 * (1 - day / historyDays) - 0.12 * (day / historyDays);
    const isKnown = state !== 'open' && isPosted && !random.chance(0.1);
    const accepted = isKnown ? random.chance(rule.heeded + willing) && state === 'merged' : null;
    if (accepted !== null) memory.note(rule.name, key, accepted, endedAt);
    const path = random.pick(paths[repository.language]);
    return { id, rule, path, line: 5 + random.below(180), isPosted, accepted };
  });
  const added = 4 + Math.floor(random.next() ** 2.5 * 420);
  return {
    repository,
    number,
    title: titles[(number * 7 + Number(repository.id)) % titles.length]!,
    author,
    reviewer,
    state,
    openedAt,
    reviewedAt: new Date(openedAt.getTime() + (hours * hourMs) / (2 + random.below(4))),
    endedAt,
    size: { added, removed: Math.floor(added * random.next() * 0.6), files: 1 + Math.floor(added / 45) },
    pushes,
    url,
    base: hashOf(key, 'base').slice(0, 40),
    heads: Array.from({ length: 1 + pushes }, (_, push) => hashOf(key, push).slice(0, 40)),
    costUsd: day < modelDays ? Math.round((0.012 + random.next() * 0.05 + added * 0.0002) * 1e4) / 1e4 : 0,
    findings,
  };
}
