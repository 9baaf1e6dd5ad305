import type * as AsyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';

type Hooks = typeof AsyncHooks;

/**
 * To know which test a call belongs to, node's test runner follows every promise of the process from its creation to its end
 * (`async_hooks`), which takes a good part of the processor time of tests that ask a database much. `AsyncLocalStorage` knows
 * the same for nearly nothing. It is given to the runner in place of what it asks `async_hooks` for; everybody else gets
 * the real ones. What this rests on is checked in cheap-test-context.test.ts.
 *
 * To be imported before anything that imports `node:test`.
 */
const hooks = createRequire(import.meta.url)('node:async_hooks') as {
  -readonly [Name in keyof Hooks]: Hooks[Name];
};
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;

/** The id of the test, suite or hook that runs. */
const running = new AsyncLocalStorage<number>();
/** Tells the runner about a test or suite. */
let onTest: AsyncHooks.HookCallbacks['init'];

/** What the runner makes tests, suites and hooks of. */
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
    // Inside, because the scope of a resource brings back what was stored when it was made.
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
