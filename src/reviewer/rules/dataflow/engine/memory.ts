import { join, type Label, type Scope, type Value } from './value.ts';

type Journal = Map<Scope, Map<string, Value | undefined>>;

interface Outcome {
  readonly leaves: boolean;
  readonly written: Journal;
}

const nothingDone: Outcome = { leaves: false, written: new Map() };

/** Keeps variables through branches: what was written in one of them is undone for the other, and joined afterwards. */
export class Memory {
  #journal: Journal | null = null;
  /** What was written since loops began, and what was left behind by those who left them early. */
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

  /** Runs both; each tells whether it ends what is around it. Tells whether both do. */
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

  /** Runs a loop: what is written before it is left early counts after it. */
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

  /** Somebody leaves the loop, or this round of it. */
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

  /** What was written in the end; it is undone. */
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

/** Under this and its path stands what a check has said of something that is no variable: `req.query.name`. */
export const cleanPrefix = '\0clean ';

/** Stands for everything that is made of one value. */
export const sourceKey = ({ what, steps }: Label): string => `\0${steps[0]?.path}:${steps[0]?.line} ${what}`;
