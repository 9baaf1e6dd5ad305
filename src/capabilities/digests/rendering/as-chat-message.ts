import type { ChatKind } from '../digest-record.ts';
import type { DigestLinks } from './links.ts';
import type { DigestText, Line, Section } from './sections.ts';

/** Slack interprets these three characters as the start of a mention or a link. */
const forSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Characters that would end a link in Slack are percent-encoded in its URL. */
const urlForSlack = (url: string) => forSlack(url).replaceAll('|', '%7C');

/** Slack's maximum length of a section, and of a header. */
const maxSection = 3000;
const maxHeader = 150;

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

function slackSection({ title, summary, lines }: Section) {
  const line = ({ text, url }: Line) =>
    url === undefined
      ? `• ${forSlack(text)}`
      : `• <${urlForSlack(url)}|${forSlack(text).replaceAll('|', '¦')}>`;
  let text = `*${forSlack(title)}*\n${forSlack(summary)}`;
  for (const next of lines.map(line)) if (text.length + next.length < maxSection) text += `\n${next}`;
  return { type: 'section', text: { type: 'mrkdwn', text: cut(text, maxSection) } };
}

function asSlack({ title, period, sections }: DigestText, { page }: DigestLinks) {
  return {
    text: `${forSlack(title)}: ${page}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, maxHeader), emoji: false } },
      { type: 'context', elements: [{ type: 'plain_text', text: period, emoji: false }] },
      ...sections.map(slackSection),
      {
        type: 'section',
        text: { type: 'mrkdwn', text: `<${urlForSlack(page)}|Open in Postil>` },
      },
    ],
  };
}

/** Text blocks of Adaptive Cards interpret a subset of Markdown. */
const forTeams = (text: string) => text.replaceAll(/[\\`*_~[\]<>#|]/g, (character) => `\\${character}`);
const urlForTeams = (url: string) =>
  url.replaceAll(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

function teamsSection({ title, summary, lines }: Section) {
  const line = ({ text, url }: Line) =>
    url === undefined ? `- ${forTeams(text)}` : `- [${forTeams(text)}](${urlForTeams(url)})`;
  return [
    { type: 'TextBlock', text: forTeams(title), weight: 'Bolder', spacing: 'Medium', wrap: true },
    { type: 'TextBlock', text: forTeams(summary), wrap: true, spacing: 'None' },
    ...(lines.length === 0
      ? []
      : [{ type: 'TextBlock', text: lines.map(line).join('\n'), wrap: true, spacing: 'Small' }]),
  ];
}

function asTeams({ title, period, sections }: DigestText, { page }: DigestLinks) {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: forTeams(title), size: 'Large', weight: 'Bolder', wrap: true },
            { type: 'TextBlock', text: forTeams(period), isSubtle: true, spacing: 'None', wrap: true },
            ...sections.flatMap(teamsSection),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Postil', url: page }],
        },
      },
    ],
  };
}

/** A digest as the message that an incoming webhook of a chat takes. */
export function asChatMessage(kind: ChatKind, digest: DigestText, links: DigestLinks): object {
  return kind === 'slack' ? asSlack(digest, links) : asTeams(digest, links);
}
