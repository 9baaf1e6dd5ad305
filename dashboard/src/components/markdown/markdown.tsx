import { Anchor, Box, Text } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import './markdown.css';
import { type MarkdownNode, readMarkdown, safeAddress, textOfHtml } from './read-markdown.ts';

/**
 * Renders untrusted Markdown as our own elements: none of it is interpreted as HTML, and nothing is loaded from anywhere. An
 * image becomes a link to it.
 */
export function Markdown({ text }: { text: string }) {
  const nodes = useMemo(() => readMarkdown(text), [text]);
  if (nodes === null)
    return (
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    );
  return (
    <Text size="sm" component="div" className="markdown">
      <Nodes nodes={nodes} />
    </Text>
  );
}

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] }) {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    <Fragment key={index}>{elementOf(node)}</Fragment>
  ));
}

type Show = (node: MarkdownNode, children: ReactNode) => ReactNode;

/** Makes a scrolling element reachable with the keyboard. */
const scrolls = { role: 'group', tabIndex: 0 } as const;

/** Headings in untrusted text must not be headings of the page. */
const bold: Show = (_, children) => <strong>{children}</strong>;
const lineBreak: Show = () => <br />;
const html: Show = ({ token }) => textOfHtml(token.content);
const code: Show = ({ token: { content, info } }) => (
  <Box component="pre" {...scrolls} aria-label={info === 'suggestion' ? 'Suggestion' : 'Code'}>
    <code>{content.replace(/\n$/, '')}</code>
  </Box>
);

const shows: Readonly<Record<string, Show>> = {
  inline: (_, children) => children,
  text: ({ token }) => token.content,
  paragraph_open: ({ token }, children) => (token.hidden ? children : <p>{children}</p>),
  heading_open: (node, children) => <p>{bold(node, children)}</p>,
  blockquote_open: (_, children) => <blockquote>{children}</blockquote>,
  bullet_list_open: (_, children) => <ul>{children}</ul>,
  ordered_list_open: ({ token }, children) => <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>,
  list_item_open: (_, children) => <li>{children}</li>,
  hr: () => <hr />,
  fence: code,
  code_block: code,
  code_inline: ({ token }) => <code>{token.content}</code>,
  strong_open: bold,
  em_open: (_, children) => <em>{children}</em>,
  s_open: (_, children) => <s>{children}</s>,
  softbreak: lineBreak,
  hardbreak: lineBreak,
  link_open: ({ token }, children) => <Link href={String(token.attrGet('href'))}>{children}</Link>,
  image: ({ token }) => (
    <Link href={String(token.attrGet('src'))}>Image{token.content !== '' && `: ${token.content}`}</Link>
  ),
  table_open: (_, children) => (
    <Box className="markdown-table" {...scrolls} aria-label="Table">
      <table>{children}</table>
    </Box>
  ),
  thead_open: (_, children) => <thead>{children}</thead>,
  tbody_open: (_, children) => <tbody>{children}</tbody>,
  tr_open: (_, children) => <tr>{children}</tr>,
  th_open: (_, children) => <th>{children}</th>,
  td_open: (_, children) => <td>{children}</td>,
  html_block: html,
  html_inline: (node, children) => (/^<br\s*\/?>$/i.test(node.token.content) ? <br /> : html(node, children)),
};

function elementOf(node: MarkdownNode): ReactNode {
  return shows[node.token.type]?.(node, <Nodes nodes={node.children} />) ?? node.token.content;
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  const address = safeAddress(href);
  if (address === null) return children;
  return (
    <Anchor href={address} rel="noopener noreferrer nofollow" inherit>
      {children}
    </Anchor>
  );
}
