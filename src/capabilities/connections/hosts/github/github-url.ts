/** The URL of GitHub's API: the cloud has a separate host for it, Enterprise Server a path. */
export function apiUrl(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
