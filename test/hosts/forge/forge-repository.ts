import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { initRepository, readRef, writeRef } from '../../git-objects.ts';
import { makeRepository } from '../../git-repository.ts';
import { removeFolder } from '../../remove-folder.ts';
import type { HostDouble } from '../host-double.ts';
import { branch } from './forge-branches.ts';
import type { ForgeOrganization, ForgePull, ForgeRepository, ForgeUser } from './forge-data.ts';

/**
 * Adds a repository with real commits to a host: a working copy to change, and the bare repository that the host serves. They
 * share their objects, so that a push only writes a ref in the bare one; with Git it would take eight processes.
 */
export async function addGitRepository(
  host: HostDouble,
  organization: ForgeOrganization,
  name: string,
  files: Record<string, string>,
) {
  const bare = await mkdtemp(path.join(tmpdir(), 'postil-forge-'));
  after(() => removeFolder(bare));
  const folder = path.join(bare, `${name}.git`);
  await initRepository(folder, { isBare: true });
  const copy = await makeRepository(files);
  const copyFolder = path.join(copy.folder, '.git');
  await rm(path.join(folder, 'objects'), { recursive: true });
  await symlink(path.join(copyFolder, 'objects'), path.join(folder, 'objects'));
  const repository: ForgeRepository = host.state.addRepository(organization, name, { folder });
  const resolve = async (revision: string) =>
    /^[0-9a-f]{40}$/.test(revision)
      ? revision
      : ((await readRef(copyFolder, `refs/heads/${revision}`)) ??
        copy.git('rev-parse', '--verify', `${revision}^{commit}`));
  async function upload(revision: string, ...refs: string[]): Promise<void> {
    const commit = await resolve(revision);
    for (const ref of refs) await writeRef(folder, ref, commit);
  }
  const pullRefs = (number: number) => [`refs/pull/${number}/head`, `refs/merge-requests/${number}/head`];
  /** The diff that the host shows, on whose lines comments are possible. */
  const diffOf = async (head: string) => `${await copy.git('diff', `main...${head}`)}\n`;
  await upload('main', 'refs/heads/main');
  return {
    ...copy,
    repository,
    bare: folder,
    upload,
    /** Opens a pull request of the commit into main. */
    async open(
      author: ForgeUser,
      head: string,
      more: { isDraft?: boolean; labels?: readonly string[]; isFork?: boolean } = {},
    ) {
      const [sha, mainSha] = [await resolve(head), await resolve('main')];
      const number = Math.max(0, ...repository.pulls.keys()) + 1;
      await upload(sha, ...pullRefs(number), branch);
      const base = { sha: mainSha, ref: 'main' };
      const pull = host.state.open(repository, author, { head: sha, base, ...more });
      pull.diff = await diffOf(sha);
      return pull;
    },
    /** Makes the commit the head of the pull request, whatever it was before. */
    async push(pull: ForgePull, head: string) {
      const sha = await resolve(head);
      await upload(sha, ...pullRefs(pull.number), branch);
      pull.diff = await diffOf(sha);
      host.state.push(pull, { head: sha });
    },
  };
}
