import type { Host } from '../../../connections/hosts/host.ts';

/** A host to which only somebody may write who is still entitled to: `confirm` throws before a write if not. */
export function guardedHost(host: Host, confirm: () => Promise<void>): Host {
  const guarded =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await confirm();
      return write(...given);
    };
  return {
    ...host,
    publishReview: guarded(host.publishReview),
    writeComment: guarded(host.writeComment),
    reply: guarded(host.reply),
    resolve: guarded(host.resolve),
    setStatus: guarded(host.setStatus),
  };
}
