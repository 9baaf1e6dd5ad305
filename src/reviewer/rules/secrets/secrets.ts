import { findCredentials } from '../../../redaction/find/find-credentials.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding, type RuleFacts, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

const why =
  'Everybody who reads the repository has it, also after it is removed. Revoke it and keep the new one elsewhere.';
const known: RuleFacts = [harm.credential, security, 'A credential is in the code', why, 'CWE-798'];
const assigned: RuleFacts = [
  harm.likelyCredential,
  security,
  'Looks like a credential in the code',
  why,
  'CWE-798',
];
const inTests: RuleFacts = [
  harm.formerCredential,
  security,
  'A credential in test data',
  'If it is a real one, revoke it; if not, make it look less real.',
  'CWE-798',
];

/** Rules that know a credential by its own form, not by the words around it. */
const byName = new Set([
  'secret-assignment',
  'service-key',
  'labelled-secret',
  'piped-password',
  'braced-tag',
]);
/** Forms that are often harmless in code: hashes, samples of tokens, addresses with a placeholder. */
const weakForms =
  /^(?:jwt|bcrypt-hash|crypt-hash|argon2-hash|django-insecure-key|query-|url-credentials|encoded-url|basic-scheme|bearer-scheme|authorization-header|command-|kubernetes)/;
const placeholder =
  /example|sample|dummy|fake|mock|test|placeholder|change_?me|your|x{4,}|\*{3,}|\.{3}|012345|123456|abcdef|00000|redacted|foo|bar|baz|secret|passw|pwd|hunter|<|\$\{|\{\{|%[sd(]|insecure|lorem|deadbeef|cafebabe|hello|admin|root|guest|postgres|localhost|todo/i;
const certainPlaceholder = /example|x{6,}|\*{4,}|<[a-z]|\$\{|\{\{|0{8,}|1234567890|placeholder|your[-_]/i;

const testPath =
  /(?:^|[/_.-])(?:tests?|__tests__|testing|spec|specs|e2e|fixtures?|__fixtures__|testdata|test-data|mocks?|__mocks__|seeds?|samples?|examples?|demos?|docs?|documentation|snapshots?)(?:[/_.-]|$)|\.(?:md|mdx|rst|adoc|snap|txt|html)$/i;

/** Credentials, by the rules that also redact. The finding never repeats what it found. */
export const secrets: RuleSource = {
  name: 'secrets',
  isGeneral: true,
  covers: () => true,
  find: findOneByOne(findInText),
};

function findInText({ path, text }: SourceText): RuleFinding[] {
  const spans = findCredentials(text);
  if (spans.length === 0) return [];
  const lineAt = lineCounter(text);
  return spans.flatMap(({ start, end, ruleId }) => {
    const value = text.slice(start, end);
    const kind = formOf(value) ?? ruleId;
    const facts = factsOf(path, kind, value);
    if (facts === undefined || isLocalAddress(kind, text.slice(end, end + 100))) return [];
    const line = lineAt(start);
    const said = byName.has(kind) ? '' : `Recognised as \`${kind}\``;
    return [{ rule: credentialRule(kind), startLine: line, endLine: line, ...describeFinding(facts, said) }];
  });
}

/** The name under which a credential of such a form is reported. */
export function credentialRule(kind: string): string {
  return `secrets/${byName.has(kind) ? 'assignment' : kind}`;
}

/** A token that is assigned to a name that says so was found by the name first; its own form says more. */
function formOf(value: string): string | undefined {
  return findCredentials(value).find(({ ruleId }) => !byName.has(ruleId))?.ruleId;
}

function factsOf(path: string, ruleId: string, value: string): RuleFacts | undefined {
  const isWeak = byName.has(ruleId) || weakForms.test(ruleId);
  if ((isWeak ? placeholder : certainPlaceholder).test(value)) return undefined;
  // In an address: a port, or a word of an example.
  if (ruleId.startsWith('url-') && value.length < 6) return undefined;
  // Tests of encryption bring keys that were made for them.
  if (testPath.test(path)) return isWeak || ruleId.startsWith('private-key') ? undefined : inTests;
  return isWeak ? assigned : known;
}

/** A password for a service on this machine, or of a container network, which opens nothing from outside. */
function isLocalAddress(kind: string, after: string): boolean {
  return kind.startsWith('url-') && /^@(?:127\.|0\.0\.0\.0|\[::1\]|[\w-]+(?:[:/"'\s]|$))/.test(after);
}

/** Counts lines forwards only: spans come in the order of the text. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let seen = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', seen); next !== -1 && next < offset; next = text.indexOf('\n', seen)) {
      line += 1;
      seen = next + 1;
    }
    return line;
  };
}
