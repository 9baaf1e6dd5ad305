import { SaxesParser } from 'saxes';
import { UnreadableFile } from '../dependency-file.ts';

/** An element of a project file in XML. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of its children. */
  text: string;
  readonly children: XmlElement[];
}

const maxDepth = 200;

/** Parses a document. Document types, and with them custom entities, are rejected; nothing external is loaded. */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', line: 1, attributes: {}, text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser({ position: true });
  const refuse = (reason: string) => {
    throw new UnreadableFile(reason);
  };
  let begun = 1;
  parser.on('error', () => refuse(`line ${parser.line} is not valid XML`));
  parser.on('doctype', () => refuse('it has a document type'));
  parser.on('opentagstart', () => {
    begun = parser.line;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name,
      line: begun,
      attributes: attributes as Record<string, string>,
      text: '',
      children: [],
    };
    open.at(-1)!.children.push(element);
    if (open.push(element) > maxDepth) refuse('its elements are nested too deeply');
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const keep = (said: string) => {
    open.at(-1)!.text += said;
  };
  parser.on('text', keep);
  parser.on('cdata', keep);
  parser.write(text).close();
  return root;
}

/** All descendants with these names, in document order. */
export function* elementsOf(element: XmlElement, ...names: readonly string[]): Iterable<XmlElement> {
  for (const child of element.children) {
    if (names.includes(child.name)) yield child;
    yield* elementsOf(child, ...names);
  }
}

/** The text of the first child with a name; undefined if there is none. */
export function childText({ children }: XmlElement, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text.trim();
}
