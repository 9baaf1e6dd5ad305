/** Hosts of one registry, with the name that is used for all of them. */
const sameRegistry: Readonly<Record<string, string>> = {
  'registry.yarnpkg.com': 'registry.npmjs.org',
  'registry.npmjs.com': 'registry.npmjs.org',
  'files.pythonhosted.org': 'pypi.org',
  'pypi.python.org': 'pypi.org',
  'index.crates.io': 'crates.io',
  'static.crates.io': 'crates.io',
  'www.rubygems.org': 'rubygems.org',
  'index.rubygems.org': 'rubygems.org',
  'codeload.github.com': 'github.com',
  'api.github.com': 'github.com',
  'www.github.com': 'github.com',
  'ssh.github.com': 'github.com',
};

/** The host of a URL, with one name per registry; undefined if it has none. */
export function hostOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (
    /^(?:registry|sparse)\+https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io)/.test(
      address,
    )
  )
    return 'crates.io';
  const host =
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@\s]*@)?([^/:?#\s]+)/i.exec(address)?.[1] ??
    /^[\w.-]+@([\w.-]+):/.exec(address)?.[1];
  if (host === undefined) return /^github:/.test(address) ? 'github.com' : undefined;
  const plain = host.toLowerCase();
  return sameRegistry[plain] ?? plain;
}
