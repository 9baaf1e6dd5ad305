import type { Ecosystem } from '../../reviewer/review-report.ts';

const types: Readonly<Record<Ecosystem, string>> = {
  npm: 'npm',
  PyPI: 'pypi',
  Go: 'golang',
  'crates.io': 'cargo',
  Maven: 'maven',
  RubyGems: 'gem',
  Packagist: 'composer',
  NuGet: 'nuget',
  'GitHub Actions': 'github',
};

/** Percent-encodes everything that the specification does not allow. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The package URL that other tools use too: `pkg:npm/%40scope/name@1.0.0`. Without a version if none is pinned. */
export function packageUrl(ecosystem: Ecosystem, name: string, version: string | null): string {
  const parts = name.split(ecosystem === 'Maven' ? ':' : '/');
  // An action can be in a subfolder of its repository.
  const isAction = ecosystem === 'GitHub Actions';
  const path = (isAction ? parts.slice(0, 2) : parts).map(encoded).join('/');
  const folder = isAction && parts.length > 2 ? `#${parts.slice(2).map(encoded).join('/')}` : '';
  return `pkg:${types[ecosystem]}/${path}${version === null ? '' : `@${encoded(version)}`}${folder}`;
}
