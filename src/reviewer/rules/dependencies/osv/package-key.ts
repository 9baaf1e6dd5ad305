import type { Ecosystem } from '../../../review-report.ts';
import { pythonName } from '../readers/python/python-name.ts';

/** A name as its ecosystem compares them. */
export function packageKey(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return pythonName(name);
  return ecosystem === 'NuGet' || ecosystem === 'Packagist' || ecosystem === 'GitHub Actions'
    ? name.toLowerCase()
    : name;
}
