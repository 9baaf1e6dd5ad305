import { type Assignment, endOfName, readAssignment } from '../values/read-assignment.ts';
import type { CredentialSpan } from './credential-span.ts';

/** A keyword this far before the end of a name no longer says what the name is. */
const MAX_NAME_TAIL = 40;

/** What a rule is to a scan: it looks at a piece of the text and reports what it finds. */
interface Finder {
  readonly id: string;
  find(scan: Scan, start: number, end: number): void;
}

/** One walk over a text: gathers what the rules find, and reads each assignment once however many rules ask. */
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

  /** Everything reported so far, in the order of the reports. */
  get spans(): readonly CredentialSpan[] {
    return this.#spans;
  }

  /** Lets the rule look at the keyword from `start` up to `end`; what it reports carries its id. */
  apply(rule: Finder, start: number, end: number): void {
    this.#ruleId = rule.id;
    rule.find(this, start, end);
  }

  /** Records that the text from `start` up to `end` is a credential. */
  report(start: number, end: number, ruleId = this.#ruleId): void {
    this.#spans.push({ start, end, ruleId });
    this.#coveredUntil = Math.max(this.#coveredUntil, end);
  }

  /** Records that the rule has dealt with the text up to `end`. */
  markDone(ruleId: string, end: number): void {
    this.#doneUntil.set(ruleId, end);
  }

  /** Whether the rule has dealt with this place already, so that it need not look again. */
  isDone(ruleId: string, index: number): boolean {
    return index < (this.#doneUntil.get(ruleId) ?? 0);
  }

  /** Returns the assignment whose name holds the keyword, unless it is inside what was reported already. */
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

  /** Like `assignmentAt`, but returns each assignment only once, however many keywords its name holds. */
  nextAssignmentAt(start: number, end: number): Assignment | undefined {
    const assignment = this.assignmentAt(start, end);
    if (assignment === this.#judged) return undefined;
    this.#judged = assignment;
    return assignment;
  }
}
