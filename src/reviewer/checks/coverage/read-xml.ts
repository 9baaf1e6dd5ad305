import { SaxesParser } from 'saxes';
import { CoverageError } from './coverage-report.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const maxDepth = 100;

/** Goes through the elements of an XML text. A document type may be named, as reports do; it may define nothing. */
export function readXml(
  text: string,
  {
    onOpen,
    onClose,
    onText,
  }: {
    onOpen(element: XmlElement): void;
    onClose(name: string): void;
    onText?(text: string): void;
  },
): void {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => {
    throw new CoverageError(`the XML is broken: ${error.message}`);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw new CoverageError('the XML defines entities of its own, which is not allowed');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw new CoverageError('the XML is nested too deeply');
    onOpen({ name, attributes });
  });
  parser.on('text', (inner) => onText?.(inner));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    onClose(name);
  });
  parser.write(text).close();
}
