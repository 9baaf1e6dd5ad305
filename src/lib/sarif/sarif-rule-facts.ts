import { clipName, clipText, clipWholeText, toStorableText } from './clip-text.ts';
import type { Descriptor } from './read/sarif-shape.ts';
import { FINDING_LIMITS } from './scan-finding.ts';
import type { SarifLevel } from './severity.ts';
import { storableJson } from './storable-json.ts';

const MAX_PROPERTIES_LENGTH = 16 * 1024;
const MAX_PROPERTIES_DEPTH = 12;
const MAX_MESSAGES = 200;
const MAX_URI_LENGTH = 2_048;

type Format = { text?: string; markdown?: string };

/** The part of a tool's description of a rule that is kept for the export. */
export type RuleFacts = {
  id: string;
  name?: string;
  shortDescription?: Format;
  fullDescription?: Format;
  help?: Format;
  helpUri?: string;
  messageStrings?: Record<string, Format & { text: string }>;
  level?: SarifLevel;
  properties?: Record<string, unknown>;
};

/** Extracts what an export repeats from a descriptor. Long texts are shortened; property bags that are too large are dropped. */
export function readRuleFacts(descriptor: Descriptor, ruleId: string): RuleFacts {
  const { name, shortDescription, fullDescription, help, helpUri, defaultConfiguration, properties } =
    descriptor;
  const bag = storableJson(properties ?? undefined, MAX_PROPERTIES_DEPTH, MAX_PROPERTIES_LENGTH);
  const uri = helpUri?.trim() ?? '';
  const messages = Object.entries(descriptor.messageStrings ?? {})
    .slice(0, MAX_MESSAGES)
    .map(([id, format]) => [toStorableText(id), messageOf(format)] as const);
  return {
    id: descriptor.id ? clipName(descriptor.id, FINDING_LIMITS.ruleIdLength) : ruleId,
    ...(name?.trim() && { name: clipName(name, FINDING_LIMITS.ruleIdLength) }),
    ...clippedFormat('shortDescription', shortDescription),
    ...clippedFormat('fullDescription', fullDescription),
    ...clippedFormat('help', help),
    ...(isUri(uri) && { helpUri: uri }),
    ...(messages.length > 0 && { messageStrings: Object.fromEntries(messages) }),
    ...(defaultConfiguration?.level && { level: defaultConfiguration.level }),
    ...(bag !== undefined && { properties: bag as Record<string, unknown> }),
  };
}

/** Texts of messages are kept exactly, with white space, because arguments are inserted into them. */
function messageOf({ text, markdown }: NonNullable<Descriptor['help']>) {
  const clip = (said: string) => clipWholeText(said, FINDING_LIMITS.descriptionLength);
  return {
    text: clip(text ?? markdown ?? ''),
    ...(markdown != null && { markdown: clip(markdown) }),
  };
}

function clippedFormat(name: 'shortDescription' | 'fullDescription' | 'help', format: Descriptor['help']) {
  const text = clipText(format?.text ?? '', FINDING_LIMITS.descriptionLength);
  const markdown = clipText(format?.markdown ?? '', FINDING_LIMITS.descriptionLength);
  if (text === '' && markdown === '') return {};
  return { [name]: { ...(text !== '' && { text }), ...(markdown !== '' && { markdown }) } };
}

const URI_PART = String.raw`(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})`;
const WEB_ADDRESS = new RegExp(`^https?://${URI_PART}+(?:#${URI_PART}*)?$`, 'i');

/** Checks for a web address that is safe to follow for any reader of the export. */
export function isUri(text: string): boolean {
  return text.length <= MAX_URI_LENGTH && WEB_ADDRESS.test(text) && URL.canParse(text);
}
