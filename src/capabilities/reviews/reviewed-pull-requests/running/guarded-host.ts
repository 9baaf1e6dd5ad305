import type { Host } from '../../../connections/hosts/host.ts';

const writes: ReadonlySet<PropertyKey> = new Set<keyof Host>([
  'publishReview',
  'writeComment',
  'reply',
  'resolve',
  'setStatus',
]);

/** A host to which only somebody may write who is still entitled to: `confirm` throws before a write if not. */
export function guardedHost(host: Host, confirm: () => Promise<void>): Host {
  return new Proxy(host, {
    // Bound to the host itself, whatever it is made of: a class has its methods elsewhere and its own secrets.
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
