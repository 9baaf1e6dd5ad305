import { type Assignment, endOfName, readAssignment } from './read-assignment.ts';
import { REDACTION_MARKER } from './rule.ts';

/** A keyword this far before the end of a name no longer says what the name is. */
const LONGEST_NAME_TAIL = 40;

/** One walk over a text: gathers what the rules find, and reads each assignment once however many rules ask. */
export class Scan {
  readonly text: string;
  readonly #endByStart = new Map<number, number>();
  readonly #doneUntil = new Map<string, number>();
  #coveredUntil = 0;
  #nameEnd = -1;
  #isRead = false;
  #assignment: Assignment | undefined;
  #judged: Assignment | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Takes note that the text from `start` up to `end` must be replaced. */
  report(start: number, end: number): void {
    const known = this.#endByStart.get(start);
    if (known === undefined || known < end) this.#endByStart.set(start, end);
    this.#coveredUntil = Math.max(this.#coveredUntil, end);
  }

  /** Takes note that the rule has dealt with the text up to `end`. */
  markDone(ruleId: string, end: number): void {
    this.#doneUntil.set(ruleId, end);
  }

  /** Tells whether the rule has dealt with this place already, so that it need not look again. */
  isDone(ruleId: string, index: number): boolean {
    return index < (this.#doneUntil.get(ruleId) ?? 0);
  }

  /** Gives the assignment whose name holds the keyword, unless it stands in what will be replaced anyway. */
  assignmentAt(start: number, end: number): Assignment | undefined {
    if (start < this.#coveredUntil) return undefined;
    if (end > this.#nameEnd) {
      this.#nameEnd = endOfName(this.text, end);
      this.#assignment = undefined;
      this.#isRead = false;
    }
    if (this.#nameEnd - end > LONGEST_NAME_TAIL) return undefined;
    if (!this.#isRead) {
      this.#assignment = readAssignment(this.text, start, this.#nameEnd);
      this.#isRead = true;
    }
    return this.#assignment;
  }

  /** Like `assignmentAt`, but gives each assignment only once, however many keywords its name holds. */
  nextAssignmentAt(start: number, end: number): Assignment | undefined {
    const assignment = this.assignmentAt(start, end);
    if (assignment === this.#judged) return undefined;
    this.#judged = assignment;
    return assignment;
  }

  /** Gives the text with every reported stretch replaced by the marker; stretches that touch become one. */
  redacted(): string {
    let result = '';
    let kept = 0;
    for (const [start, end] of [...this.#endByStart].sort(([a], [b]) => a - b)) {
      if (start > kept || kept === 0) result += this.text.slice(kept, start) + REDACTION_MARKER;
      kept = Math.max(kept, end);
    }
    return result + this.text.slice(kept);
  }
}
