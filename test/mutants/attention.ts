import type { Mutant } from './mutant.ts';

const attention = 'src/reviewer/judge/attention.ts';
const aloneTests = ['src/reviewer/judge/attention.test.ts'];

/** Faults in rules about what is shown to people, and what is not. */
export const attentionMutants: readonly Mutant[] = [
  {
    name: 'quiet-is-posted',
    why: 'rules that nobody listens to go on commenting',
    file: 'src/capabilities/reviews/reviewed-pull-requests/running/publish-judged.ts',
    from: 'chooseComments(withoutQuiet(result.findings, result.quiet ?? []), posted',
    to: 'chooseComments(withoutQuiet(result.findings, []), posted',
    tests: ['src/capabilities/reviews/attention/quiet-rules.test.ts'],
  },
  {
    name: 'sample-too-large',
    why: 'one in two comments of a quiet rule is posted',
    file: attention,
    from: 'const sampleOf = 10;',
    to: 'const sampleOf = 2;',
    tests: aloneTests,
  },
  {
    name: 'critical-is-quiet',
    why: 'a critical finding is kept to ourselves, because others of its rule were declined',
    file: attention,
    from: "severity !== 'critical' &&",
    to: '',
    tests: aloneTests,
  },
  {
    name: 'credentials-are-quiet',
    why: 'a credential is not told, because others were declined',
    file: attention,
    from: "return isQuiet && !isNeverQuiet(rule) ? 'quiet' : 'active';",
    to: "return isQuiet ? 'quiet' : 'active';",
    tests: ['src/capabilities/reviews/attention/rules.test.ts'],
    named: ['credentials and known vulnerabilities are never quiet'],
  },
  {
    name: 'replay-by-chance',
    why: 'a replay depends on the order in which the database gives the history',
    file: 'src/capabilities/reviews/attention/replay.ts',
    from: ' || Number(b.isDecision) - Number(a.isDecision) || byName(a.comment, b.comment)',
    to: '',
    tests: ['src/capabilities/reviews/attention/replay.test.ts'],
  },
  {
    name: 'results-for-a-gone-head',
    why: 'late results start a review of a version that nobody looks at any more',
    file: 'src/capabilities/reviews/requests/results/receive-results.ts',
    from: 'if (pulls.length === 0 && past !== undefined) return past;',
    to: '',
    tests: ['src/capabilities/reviews/requests/results/results.test.ts'],
    named: ['what is sent twice, or is about a head that is gone, starts nothing and changes nothing'],
  },
  {
    name: 'results-twice',
    why: 'the same results start a review each time',
    file: 'src/capabilities/reviews/requests/results/receive-results.ts',
    from: 'if (stored === 0) return known ?? past ?? waiting;',
    to: '',
    tests: ['src/capabilities/reviews/requests/results/results.test.ts'],
    named: ['what is sent twice, or is about a head that is gone, starts nothing and changes nothing'],
  },
  {
    name: 'fix-of-other-lines',
    why: 'a suggestion replaces lines that nobody reviewed',
    file: 'src/reviewer/judge/apply-suggestions.ts',
    from: 'if (!isFree || !isAsReported(finding, lines)) continue;',
    to: 'if (!isFree) continue;',
    tests: ['src/reviewer/judge/apply-suggestions.test.ts'],
  },
  {
    name: 'fix-breaks-the-file',
    why: 'a file no longer parses after its fixes',
    file: 'src/reviewer/judge/apply-suggestions.ts',
    from: '|| !(await stillParses(path, text, next))',
    to: '',
    tests: ['src/reviewer/judge/apply-suggestions.test.ts'],
  },
  {
    name: 'green-over-major',
    why: 'a pull request with a major finding looks fine',
    file: 'src/capabilities/reviews/publishing/review-status.ts',
    from: "if (graves > 0) return { state: 'warning'",
    to: "if (graves > 0) return { state: 'success'",
    tests: ['src/capabilities/reviews/publishing/review-status.test.ts'],
  },
];
