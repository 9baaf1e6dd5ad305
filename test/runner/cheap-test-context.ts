import type * as AsyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';

type Hooks = typeof AsyncHooks;

/**
 * To attribute calls to tests, node's test runner tracks every promise of the process (`async_hooks`), which takes much processor
 * time in tests with many database queries. `AsyncLocalStorage` does the same at almost no cost. This module gives the runner
 * such a replacement for `async_hooks`; all other modules get the real one. Its assumptions are checked in
 * cheap-test-context.test.ts.
 *
 * It must be imported before anything that imports `node:test`.
 */
const hooks = createRequire(import.meta.url)('node:async_hooks') as {
  -readonly [Name in keyof Hooks]: Hooks[Name];
};
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;

/** The id of the running test, suite or hook. */
const running = new AsyncLocalStorage<number>();
/** The runner's callback for a new test or suite. */
let onTest: AsyncHooks.HookCallbacks['init'];

/** The base class that the runner uses for tests, suites and hooks. */
class TestResource extends AsyncResource {
  constructor(...given: ConstructorParameters<typeof AsyncResource>) {
    super(...given);
    onTest?.(this.asyncId(), given[0], executionAsyncId(), this);
  }

  override runInAsyncScope<This, Given extends unknown[], Result>(
    work: (this: This, ...given: Given) => Result,
    thisArg?: This,
    ...given: Given
  ): Result {
    // Set inside, because the scope of a resource restores the value that was stored when it was created.
    return super.runInAsyncScope(() =>
      running.run(this.asyncId(), () => Reflect.apply(work, thisArg, given) as Result),
    );
  }
}

hooks.AsyncResource = TestResource as typeof AsyncResource;
hooks.executionAsyncId = () => running.getStore() ?? 0;
hooks.createHook = ({ init }) => {
  onTest = init;
  const hook = { enable: () => hook, disable: () => hook };
  return hook;
};
await import('node:test');
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
