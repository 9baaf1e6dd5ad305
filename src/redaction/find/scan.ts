import { type Assignment, endOfName, readAssignment } from '../values/read-assignment.ts';
import type { CredentialSpan } from './credential-span.ts';

/**
 * The maximum number of characters after a keyword in a name; if there are more, the keyword no longer tells what the name means.
 */
const MAX_NAME_TAIL = 40;

/** The part of a rule that a scan needs: it examines a part of the text and reports credentials. */
interface Finder {
  readonly id: string;
  find(scan: Scan, start: number, end: number): void;
}

/** One pass over a text. Collects what the rules find, and parses each assignment only once, even if several rules need it. */
export class Scan {
  readonly text: string;
  readonly #spans: CredentialSpan[] = [];
  readonly #doneUntil = new Map<string, number>();
  #ruleId = '';
  #coveredUntil = 0;
  #nameEnd = -1;
  #isRead = false;
  #assignment: Assignment | undefined;
  #judged: Assignment | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Everything reported so far, in the order it was reported. */
  get spans(): readonly CredentialSpan[] {
    return this.#spans;
  }

  /** Runs the rule on the keyword from `start` up to `end`; its reports carry its id. */
  apply(rule: Finder, start: number, end: number): void {
    this.#ruleId = rule.id;
    rule.find(this, start, end);
  }

  /** Records that the text from `start` up to `end` is a credential. */
  report(start: number, end: number, ruleId = this.#ruleId): void {
    this.#spans.push({ start, end, ruleId });
    this.#coveredUntil = Math.max(this.#coveredUntil, end);
  }

  /** Records that the rule has processed the text up to `end`. */
  markDone(ruleId: string, end: number): void {
    this.#doneUntil.set(ruleId, end);
  }

  /** Whether the rule has already processed this position. */
  isDone(ruleId: string, index: number): boolean {
    return index < (this.#doneUntil.get(ruleId) ?? 0);
  }

  /** The assignment whose name contains the keyword, unless it is inside something already reported. */
  assignmentAt(start: number, end: number): Assignment | undefined {
    if (start < this.#coveredUntil) return undefined;
    if (end > this.#nameEnd) {
      this.#nameEnd = endOfName(this.text, end);
      this.#assignment = undefined;
      this.#isRead = false;
    }
    if (this.#nameEnd - end > MAX_NAME_TAIL) return undefined;
    if (!this.#isRead) {
      this.#assignment = readAssignment(this.text, start, this.#nameEnd);
      this.#isRead = true;
    }
    return this.#assignment;
  }

  /** Like `assignmentAt`, but returns each assignment only once, however many keywords its name contains. */
  nextAssignmentAt(start: number, end: number): Assignment | undefined {
    const assignment = this.assignmentAt(start, end);
    if (assignment === this.#judged) return undefined;
    this.#judged = assignment;
    return assignment;
  }
}
