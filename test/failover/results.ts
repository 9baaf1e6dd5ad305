/** The results of one round. */
export interface RoundResult {
  readonly fault: string;
  /** How the first node reaches the primary; the second one knows all hosts. */
  readonly way: string;
  readonly acknowledged: number;
  /** The number of 503 answers with Retry-After. */
  readonly refused: number;
  readonly lost: readonly string[];
  readonly repeated: readonly string[];
  readonly others: readonly string[];
  /** Sessions that stayed connected to a server that is not the primary. */
  readonly staying: readonly string[];
  /** The time from the fault until PostgreSQL commits again. */
  readonly outageMs: number;
  /** For each node, the time from then until its proxy lets a new connection through to the primary. */
  readonly wayMs: readonly number[];
  /** For each node, the time from then until it has stored something. */
  readonly recoveryMs: readonly number[];
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Prints the rounds by fault and way, as a table in Markdown. */
export function printTable(results: readonly RoundResult[], say: (line: string) => void): void {
  const columns = [
    'fault, first node through',
    'rounds',
    'acknowledged',
    'lost',
    'repeated',
    '503 with Retry-After',
    'other answers',
    'stayed on a former primary',
    'new primary after, median / most',
    'way to it after that',
    'nodes after that',
  ];
  say(`| ${columns.join(' | ')} |`);
  say(`|${columns.map(() => ' --- |').join('')}`);
  const groups = Map.groupBy(results, ({ fault, way }) => `${fault}, ${way}`);
  for (const [name, rounds] of [...groups, ['all', results] as const]) {
    const sum = (pick: (one: RoundResult) => number) =>
      rounds.map(pick).reduce((total, one) => total + one, 0);
    const outages = rounds.map(({ outageMs }) => outageMs);
    const recoveries = rounds.flatMap(({ recoveryMs }) => recoveryMs);
    const spread = (values: readonly number[]) =>
      `${seconds(middle(values))} / ${seconds(Math.max(...values))} s`;
    const cells = [
      name,
      rounds.length,
      sum(({ acknowledged }) => acknowledged),
      sum(({ lost }) => lost.length),
      sum(({ repeated }) => repeated.length),
      sum(({ refused }) => refused),
      sum(({ others }) => others.length),
      sum(({ staying }) => staying.length),
      spread(outages),
      spread(rounds.flatMap(({ wayMs }) => wayMs)),
      spread(recoveries),
    ];
    say(`| ${cells.join(' | ')} |`);
  }
}
