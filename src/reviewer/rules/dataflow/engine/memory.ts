import { join, type Label, type Scope, type Value } from './value.ts';

type Journal = Map<Scope, Map<string, Value | undefined>>;

interface Outcome {
  readonly leaves: boolean;
  readonly written: Journal;
}

const nothingDone: Outcome = { leaves: false, written: new Map() };

/** Tracks variables across branches: what one branch writes is undone for the other, and both are joined afterwards. */
export class Memory {
  #journal: Journal | null = null;
  /** The journals of the branches that are being run. `#exits` has the values at the early exits of the innermost loop. */
  readonly #open: Journal[] = [];
  #exits: { readonly depth: number; readonly left: Journal } | null = null;

  set(scope: Scope, name: string, value: Value | undefined): void {
    if (this.#journal !== null) {
      const written = this.#journal.get(scope) ?? new Map<string, Value | undefined>();
      this.#journal.set(scope, written);
      if (!written.has(name)) written.set(name, scope.values.get(name));
    }
    if (value === undefined) scope.values.delete(name);
    else scope.values.set(name, value);
  }

  /** Runs both branches. Each returns whether it leaves the enclosing block; the result is whether both do. */
  branch(then: () => boolean, otherwise: () => boolean): boolean {
    const outer = this.#journal;
    let [first, second]: [Outcome, Outcome] = [nothingDone, nothingDone];
    try {
      first = this.#run(then);
      second = this.#run(otherwise);
    } finally {
      this.#journal = outer;
    }
    const leaves = first.leaves && second.leaves;
    for (const scope of new Set([...first.written.keys(), ...second.written.keys()])) {
      const [one, two] = [first.written.get(scope), second.written.get(scope)];
      for (const name of new Set([...(one?.keys() ?? []), ...(two?.keys() ?? [])])) {
        const before = scope.values.get(name);
        const left = one?.has(name) ? one.get(name) : before;
        const right = two?.has(name) ? two.get(name) : before;
        if (first.leaves !== second.leaves) this.set(scope, name, first.leaves ? right : left);
        else if (name.startsWith(cleanPrefix))
          this.set(scope, name, left === undefined || right === undefined ? undefined : left);
        else
          this.set(scope, name, left === undefined ? right : right === undefined ? left : join(left, right));
      }
    }
    return leaves;
  }

  /** Runs a loop. Values at its early exits are joined with those at its end. */
  loop(work: () => void): void {
    const outer = this.#exits;
    const own = { depth: this.#open.length, left: new Map() as Journal };
    this.#exits = own;
    try {
      work();
    } finally {
      this.#exits = outer;
    }
    for (const [scope, values] of own.left)
      for (const [name, value] of values) {
        const now = scope.values.get(name);
        if (value !== undefined) this.set(scope, name, now === undefined ? value : join(now, value));
      }
  }

  /** Records the values at a `break` or `continue`. */
  leaveLoop(): void {
    if (this.#exits === null) return;
    for (const journal of this.#open.slice(this.#exits.depth))
      for (const [scope, names] of journal) {
        const left = this.#exits.left.get(scope) ?? new Map<string, Value | undefined>();
        this.#exits.left.set(scope, left);
        for (const name of names.keys()) {
          const [now, other] = [scope.values.get(name), left.get(name)];
          if (now !== undefined && !name.startsWith(cleanPrefix))
            left.set(name, other === undefined ? now : join(other, now));
        }
      }
  }

  /** Runs a branch, undoes what it wrote, and returns it. */
  #run(work: () => boolean): Outcome {
    const journal: Journal = new Map();
    this.#journal = journal;
    this.#open.push(journal);
    let leaves = false;
    try {
      leaves = work();
    } finally {
      this.#open.pop();
    }
    const written: Journal = new Map();
    for (const [scope, before] of journal) {
      written.set(scope, new Map([...before.keys()].map((name) => [name, scope.values.get(name)])));
      for (const [name, value] of before)
        if (value === undefined) scope.values.delete(name);
        else scope.values.set(name, value);
    }
    return { leaves, written };
  }
}

/**
 * The prefix of the name under which a scope stores a check; the path of the checked expression follows, such as
 * `req.query.name`.
 */
export const cleanPrefix = '\0clean ';

/** The key for checks of everything that is derived from one source. */
export const sourceKey = ({ what, steps }: Label): string => `\0${steps[0]?.path}:${steps[0]?.line} ${what}`;
