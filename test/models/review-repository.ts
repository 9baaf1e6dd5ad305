import { after } from 'node:test';
import { clientOf } from '../../src/models/model-client.ts';
import { anyAddress } from '../../src/outbound/address-guard.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import {
  type PostilFile,
  resolveConfiguration,
} from '../../src/reviewer/configuration/review-configuration.ts';
import { createModelReviewer, type ModelReviewOptions } from '../../src/reviewer/model/review-by-model.ts';
import { partsOf } from '../../src/reviewer/process/part.ts';
import { workHere } from '../../src/reviewer/process/run-here.ts';
import { openRepository, placeOf } from '../../src/reviewer/repository/repository.ts';
import { reviewChange } from '../../src/reviewer/review/review-change.ts';
import { type Script, startScriptedModel } from './scripted-model.ts';

export interface ReviewedRepository extends Partial<ModelReviewOptions> {
  readonly folder: string;
  /** The id of the base commit. */
  readonly base: string;
  /** The id of the head commit; null for the working copy. */
  readonly head: string | null;
  readonly script: Script;
  readonly file?: PostilFile;
}

/** Reviews the change in a real repository with a scripted model and without rules. */
export async function reviewRepository({
  folder,
  base,
  head,
  script,
  file = {},
  ...given
}: ReviewedRepository) {
  const outbound = createOutbound(anyAddress);
  const { settings, calls } = await startScriptedModel('openai', script);
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const processes = workHere(async () => []);
  after(async () => {
    await processes.stop();
    await repository.close();
    await outbound.close();
  });
  const model = createModelReviewer({
    settings,
    limits: { maxTokens: 200_000, maxSeconds: 120 },
    openClient: clientOf(settings, outbound, { firstPauseMs: 1 }),
    ...given,
  });
  const signal = AbortSignal.timeout(300_000);
  const result = await reviewChange({
    change: { kind: 'commits', repository: placeOf(repository), base, head },
    configuration: resolveConfiguration(file),
    own: { astGrepRules: [], searchPath: undefined },
    run: partsOf(processes, { group: 'test', signal }),
    model,
    signal,
  });
  return { result, calls };
}
