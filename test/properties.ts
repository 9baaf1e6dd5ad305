import { configureGlobal } from 'fast-check';

/**
 * The one way to fast-check: property tests try the same examples on every run, so that a run that fails was made to
 * fail by the change. `POSTIL_TEST_SEED=random npm test` looks for new ones; what it finds becomes a sample of its own.
 */
const given = process.env.POSTIL_TEST_SEED ?? '20261116';
if (given !== 'random') configureGlobal({ seed: Number.parseInt(given, 10) });

export { default } from 'fast-check';
