const publicPages = ['/sign-in', '/welcome'];

/**
 * Leaves for the sign-in page because the session has ended, to return here afterwards. The page is loaded anew, so that
 * nothing of the ended session stays in memory.
 */
export function signInAgain(): void {
  const { pathname, search, hash } = window.location;
  if (publicPages.includes(pathname)) return;
  const parameters = new URLSearchParams({ return_to: pathname + search + hash, problem: 'ended' });
  window.location.assign(`/sign-in?${parameters}`);
}
