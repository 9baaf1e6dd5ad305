import { findCredentials } from '../../../redaction/find/find-credentials.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding, type RuleFacts, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

const why =
  'Everybody who can read the repository has it, even after it is removed. Revoke it, and keep the new one outside of the repository.';
const known: RuleFacts = [harm.credential, security, 'Credential in the code', why, 'CWE-798'];
const assigned: RuleFacts = [
  harm.likelyCredential,
  security,
  'Possible credential in the code',
  why,
  'CWE-798',
];
const inTests: RuleFacts = [
  harm.formerCredential,
  security,
  'Credential in test data',
  'If it is real, revoke it; if not, replace it with an obvious placeholder.',
  'CWE-798',
];

/** Rules that recognize a credential by the words around it, not by its own form. */
const byName = new Set([
  'secret-assignment',
  'service-key',
  'labelled-secret',
  'piped-password',
  'braced-tag',
]);
/** Forms that are often harmless in code: hashes, sample tokens, URLs with a placeholder. */
const weakForms =
  /^(?:jwt|bcrypt-hash|crypt-hash|argon2-hash|django-insecure-key|query-|url-credentials|encoded-url|basic-scheme|bearer-scheme|authorization-header|command-|kubernetes)/;
const placeholder =
  /example|sample|dummy|fake|mock|test|placeholder|change_?me|your|x{4,}|\*{3,}|\.{3}|012345|123456|abcdef|00000|redacted|foo|bar|baz|secret|passw|pwd|hunter|<|\$\{|\{\{|%[sd(]|insecure|lorem|deadbeef|cafebabe|hello|admin|root|guest|postgres|localhost|todo/i;
const certainPlaceholder = /example|x{6,}|\*{4,}|<[a-z]|\$\{|\{\{|0{8,}|1234567890|placeholder|your[-_]/i;

const testPath =
  /(?:^|[/_.-])(?:tests?|__tests__|testing|spec|specs|e2e|fixtures?|__fixtures__|testdata|test-data|mocks?|__mocks__|seeds?|samples?|examples?|demos?|docs?|documentation|snapshots?)(?:[/_.-]|$)|\.(?:md|mdx|rst|adoc|snap|txt|html)$/i;

/** Finds credentials by the same rules that redact them. A finding never contains the credential. */
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
    const said = byName.has(kind) ? '' : `Recognized as \`${kind}\``;
    return [{ rule: credentialRule(kind), startLine: line, endLine: line, ...describeFinding(facts, said) }];
  });
}

/** The rule that a kind of credential is reported under. */
export function credentialRule(kind: string): string {
  return `secrets/${byName.has(kind) ? 'assignment' : kind}`;
}

/**
 * The kind of a credential by its own form; undefined if it has none. A token that is assigned to a telling name was found by
 * that name first, but its form says more.
 */
function formOf(value: string): string | undefined {
  return findCredentials(value).find(({ ruleId }) => !byName.has(ruleId))?.ruleId;
}

function factsOf(path: string, ruleId: string, value: string): RuleFacts | undefined {
  const isWeak = byName.has(ruleId) || weakForms.test(ruleId);
  if ((isWeak ? placeholder : certainPlaceholder).test(value)) return undefined;
  // In a URL, a short value is a port, or a word of an example.
  if (ruleId.startsWith('url-') && value.length < 6) return undefined;
  // Tests of encryption contain keys that were made for them.
  if (testPath.test(path)) return isWeak || ruleId.startsWith('private-key') ? undefined : inTests;
  return isWeak ? assigned : known;
}

/** Whether a password in a URL is for a local service or a container network, and so is useless from outside. */
function isLocalAddress(kind: string, after: string): boolean {
  return kind.startsWith('url-') && /^@(?:127\.|0\.0\.0\.0|\[::1\]|[\w-]+(?:[:/"'\s]|$))/.test(after);
}

/** Returns a function that finds the line of an offset. It only counts forwards, because spans are in the order of the text. */
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
