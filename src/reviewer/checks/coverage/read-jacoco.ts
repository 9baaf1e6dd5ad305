import { CoverageReport } from './coverage-report.ts';
import { readXml } from './read-xml.ts';

/** Parses JaCoCo: source files of packages, with missed (`mi`) and covered (`ci`) instructions of each line (`nr`). */
export function readJacoco(text: string): CoverageReport {
  const report = new CoverageReport();
  let folder = '';
  let file = '';
  readXml(text, {
    onOpen({ name, attributes }) {
      if (name === 'package') folder = attributes.name ?? '';
      else if (name === 'sourcefile') file = [folder, attributes.name].filter(Boolean).join('/');
      else if (name === 'line') report.add(file, attributes.nr, attributes.ci);
    },
    onClose(name) {
      if (name === 'sourcefile') file = '';
    },
  });
  return report;
}
