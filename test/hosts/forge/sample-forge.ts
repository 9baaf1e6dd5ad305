import type { HostDouble } from '../host-double.ts';

export const hostToken = 'token-of-the-account-at-the-host';

/**
 * Creates a small company on a host: an owner, two people, two bots, a public, a private and an archived repository. The owner is
 * the account of the connection; it is not always marked as a bot.
 */
export function fillForge(
  { state, tokens }: HostDouble,
  { account: name = 'postil-bot', isBot = true } = {},
) {
  const account = state.addUser(name, { isBot });
  const ada = state.addUser('ada');
  const ben = state.addUser('ben');
  const reviewer = state.addUser('lint-bot', { isBot: true });
  const acme = state.addOrganization('acme', account, ada, ben, reviewer);
  const other = state.addOrganization('other', account);
  const app = state.addRepository(acme, 'app');
  const vault = state.addRepository(acme, 'vault', { isPrivate: true });
  vault.readers.add(ada.id);
  const attic = state.addRepository(acme, 'attic', { isArchived: true });
  tokens.set(hostToken, account);
  return { account, ada, ben, reviewer, acme, other, app, vault, attic };
}
