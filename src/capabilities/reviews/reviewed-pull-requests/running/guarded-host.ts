import type { Host } from '../../../connections/hosts/host.ts';

const writes: ReadonlySet<PropertyKey> = new Set<keyof Host>([
  'publishReview',
  'writeComment',
  'editComment',
  'reply',
  'resolve',
  'setStatus',
]);

/** A host that calls `confirm` before every write; `confirm` throws if the caller may no longer write. */
export function guardedHost(host: Host, confirm: () => Promise<void>): Host {
  return new Proxy(host, {
    // Methods are bound to the original host, since private fields of a class are not accessible through a proxy.
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!writes.has(name)) return value.bind(target);
      return async (...given: unknown[]) => {
        await confirm();
        return value.apply(target, given);
      };
    },
  });
}
