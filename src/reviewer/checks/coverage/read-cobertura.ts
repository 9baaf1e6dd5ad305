import path from 'node:path';
import { CoverageReport } from './coverage-report.ts';
import { readXml } from './read-xml.ts';

/** Cobertura: classes with a file name below one of the sources, and lines with their hits. */
export function readCobertura(text: string): CoverageReport {
  const report = new CoverageReport();
  const sources: string[] = [];
  let isSource = false;
  let file = '';
  readXml(text, {
    onOpen({ name, attributes }) {
      if (name === 'source') {
        isSource = true;
        sources.push('');
      } else if (name === 'class') file = attributes.filename ?? '';
      else if (name === 'line')
        report.add(placeOf(file, sources), Number(attributes.number), Number(attributes.hits) > 0);
    },
    onText(inner) {
      if (isSource) sources[sources.length - 1] += inner;
    },
    onClose(name) {
      if (name === 'source') isSource = false;
      else if (name === 'class') file = '';
    },
  });
  return report;
}

/** With several sources nobody knows below which of them a file is. */
function placeOf(file: string, sources: readonly string[]): string {
  const [source = '', ...others] = sources
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '.');
  if (file === '' || others.length > 0 || source === '' || file.startsWith('/')) return file;
  return path.posix.join(source, file);
}
