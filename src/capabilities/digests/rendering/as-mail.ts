import { escapeHtml } from '../../../lib/html/escape-html.ts';
import type { DigestLinks } from './links.ts';
import type { DigestText, Section } from './sections.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

function asText({ title, period, sections }: DigestText, { page, unsubscribe }: DigestLinks): string {
  const parts = sections.map(({ title: heading, summary, lines }) =>
    [
      heading.toUpperCase(),
      summary,
      ...lines.map(({ text, url }) => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`)),
    ].join('\n'),
  );
  const end = [`More: ${page}`, ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`])];
  return `${[`${title}\n${period}`, ...parts, end.join('\n')].join('\n\n')}\n`;
}

const styles = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f7;color:#1a1b1e;font:15px/1.5 system-ui,-apple-system,Segoe UI,sans-serif',
  sheet: 'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px',
  title: 'margin:0;font-size:20px;line-height:1.3',
  period: 'margin:4px 0 0;color:#5c5f66',
  heading: 'margin:24px 0 4px;font-size:16px;line-height:1.3',
  text: 'margin:0',
  list: 'margin:8px 0 0;padding:0 0 0 20px',
  link: 'color:#3b5bdb',
  foot: 'margin:24px 0 0;padding:16px 0 0;border-top:1px solid #dee2e6;color:#5c5f66;font-size:13px',
};

/** Only URLs that open as web pages become links. */
function linked(text: string, url: string | undefined): string {
  if (url === undefined || !/^https?:\/\//i.test(url)) return escapeHtml(text);
  return `<a style="${styles.link}" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

function sectionAsHtml({ title, summary, lines }: Section): string {
  const items = lines.map(({ text, url }) => `<li>${linked(text, url)}</li>`).join('\n');
  return `<h2 style="${styles.heading}">${escapeHtml(title)}</h2>
<p style="${styles.text}">${escapeHtml(summary)}</p>
${items === '' ? '' : `<ul style="${styles.list}">\n${items}\n</ul>\n`}`;
}

function asHtml({ title, period, sections }: DigestText, { page, unsubscribe }: DigestLinks): string {
  const leave = unsubscribe === undefined ? '' : ` · ${linked('Unsubscribe', unsubscribe)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body style="${styles.body}">
<div style="${styles.sheet}">
<h1 style="${styles.title}">${escapeHtml(title)}</h1>
<p style="${styles.period}">${escapeHtml(period)}</p>
${sections.map(sectionAsHtml).join('')}<p style="${styles.foot}">${linked('Open in Postil', page)}${leave}</p>
</div>
</body>
</html>
`;
}

/** A digest as a mail, in plain text and in HTML. */
export function asMail(digest: DigestText, links: DigestLinks): RenderedMail {
  return { subject: digest.title, text: asText(digest, links), html: asHtml(digest, links) };
}
