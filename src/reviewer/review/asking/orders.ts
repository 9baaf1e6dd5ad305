/** The text that may be between the words of one phrase: up to 60 characters. */
const gap = '.{0,60}?';
const holds =
  '(?:pass(?:ed|es)?|approv\\w+|compliant|satisf\\w+|verdict|lgtm|inconclusive|no (?:issues|violations|problems))';
const addressee =
  '(?:reviewers?|assistants?|llms?|(?:language|ai) models?|ai|chat ?bots?|copilot|claude|chatgpt|gpt|gemini|postil|code ?rabbit)';

/** Phrases that are meant for a reviewer or a model, not for readers of the code. */
const orders = [
  `\\b(?:ignore|disregard|forget|override|bypass)\\b${gap}\\b(?:instructions?|prompts?|guidelines|directions|orders|rules (?:above|before))\\b`,
  `\\b${addressee}\\b${gap}\\b${holds}\\b`,
  `\\b${holds}\\b${gap}\\b${addressee}\\b`,
  `\\bverdict\\b["'\`]?\\s*[:=]\\s*["'\`]?(?:pass|ok|true|success)`,
  `\\b(?:answer|reply|respond|conclude)\\b${gap}\\bpass(?:ed|es)?\\b`,
  `\\bthis (?:check|question)\\b${gap}\\b${holds}\\b`,
  `\\byou are (?:now )?(?:an?|the)\\b${gap}\\b${addressee}\\b`,
  `< ?(?:system|assistant|im start|im end|endoftext)\\b|\\[ ?inst\\]|<<sys\\b`,
  `\\bignorier\\w*${gap}(?:anweisung|regel|vorgabe)`,
  `\\bignor(?:a|e|ez|ar|are)\\b${gap}(?:instruc|istruz|consigne|reglas)`,
  `忽略${gap}(?:指令|指示|规则|規則)|(?:指示|命令)${gap}無視|игнорируй${gap}инструкц`,
].map((pattern) => new RegExp(pattern, 'u'));

/** Invisible characters, and those that make a text read differently than it is stored. */
const hidden = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/u;
const unseen = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * Whether a text contains instructions for its reviewer. That is no proof of bad intent, and careful authors find other words;
 * but a model that has read such a sentence is not trusted if its verdict is `passed`.
 */
export function speaksToReviewer(text: string, checkName: string): boolean {
  if (hidden.test(text)) return true;
  const plain = text
    .normalize('NFKC')
    .replaceAll(unseen, '')
    .toLowerCase()
    .replaceAll(/[\s#*/\\"'`_~>|-]+/g, ' ');
  const name = checkName.replaceAll(/[_-]+/g, ' ');
  const named = new RegExp(
    `\\b${RegExp.escape(name)}\\b${gap}\\b${holds}\\b|\\b${holds}\\b${gap}\\b${RegExp.escape(name)}\\b`,
    'u',
  );
  return [...orders, named].some((pattern) => pattern.test(plain));
}
