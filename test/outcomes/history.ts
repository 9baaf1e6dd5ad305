import type { ReplyClass } from '../../src/capabilities/findings/comments/classify-reply.ts';
import type { LineRange } from '../../src/capabilities/findings/tracking/map-range.ts';

/** The files of a version, by path. */
export type Files = Readonly<Record<string, readonly string[]>>;

/** The kinds of actions after a finding; all but the last seven address it. */
export const historyKinds = [
  'edit',
  'suggestion',
  'suggestion_changed',
  'rename',
  'deletion',
  'guard',
  'move',
  'elsewhere',
  'untouched',
  'chance',
  'near',
  'formatted',
  'suppressed',
  'reverted',
  'moved_as_is',
] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** The history of a pull request with one finding, and whether the finding was addressed. */
export interface History {
  readonly kind: HistoryKind;
  readonly isAddressed: boolean;
  readonly base: Files;
  /** The version that the finding was posted on. */
  readonly posted: Files;
  /** The versions that were pushed afterwards; the last one is merged. */
  readonly pushes: readonly Files[];
  /** The base branch that the last version is rebased onto; null if the base did not change. */
  readonly movedBase: Files | null;
  /** Whether every push is one commit on top of the base, as after a squash or force-push. */
  readonly isRewritten: boolean;
  /** Whether the host no longer has the version that the finding was posted on. */
  readonly isForgotten: boolean;
  readonly finding: {
    readonly path: string;
    readonly range: LineRange;
    readonly text: string;
    readonly suggestion: string | null;
    readonly source: 'rule' | 'model';
  };
  /** Whether the rule or model still raises it in the last version. */
  readonly isGone: boolean;
  readonly isResolvedByPerson: boolean;
  readonly reply: ReplyClass | null;
}
