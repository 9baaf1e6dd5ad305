import type { Ecosystem } from '../../../review-report.ts';
import { pythonName } from '../readers/python/python-name.ts';

/** Normalizes a name in the way its ecosystem does to compare names. */
export function packageKey(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return pythonName(name);
  return ecosystem === 'NuGet' || ecosystem === 'Packagist' || ecosystem === 'GitHub Actions'
    ? name.toLowerCase()
    : name;
}
