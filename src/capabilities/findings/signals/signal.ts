/** The possible observations about a finding. The names are part of the API. */
export const signalNames = [
  'suggestion_applied',
  'suggestion_landed',
  'lines_changed',
  'named_change',
  'finding_gone',
  'thread_resolved',
  'thread_reopened',
  'reply_fixed',
  'reply_wont_fix',
  'reaction',
  'dismissed',
  'confirmed',
  'merged_untouched',
] as const;
export type SignalName = (typeof signalNames)[number];

/**
 * Where a signal was observed: in the code, at the Git host, by a rule or model, or reported to Postil through its API,
 * dashboard or a command.
 */
export const signalSources = ['git', 'host', 'rule', 'model', 'api', 'dashboard', 'command'] as const;
export type SignalSource = (typeof signalSources)[number];

/** The sources through which a person judges a finding directly. */
export const personSources: ReadonlySet<SignalSource> = new Set(['api', 'dashboard', 'command']);

export interface SignalActor {
  readonly id: string | null;
  readonly name: string;
  readonly isBot: boolean;
}

/** What a person can look up to check a signal. */
export type Evidence = { readonly [name: string]: unknown };

/** One observation about a finding. Signals are never changed or deleted. */
export interface Signal {
  readonly signal: SignalName;
  readonly source: SignalSource;
  readonly at: Date;
  /** Null if nobody caused it, such as a rule that no longer reports. */
  readonly actor: SignalActor | null;
  /**
   * Signals about code are valid only for the version in `head`. A person's verdict has `accepted`, which is null once it is
   * withdrawn.
   */
  readonly evidence: Evidence;
}
