import type { Tx } from '../../../db/database.ts';
import { fixOnCommand, listFixed } from '../../reviews/reviewed-pull-requests/fixing/fix-on-command.ts';
import { fixRefusals } from '../../reviews/reviewed-pull-requests/fixing/fix-refusals.ts';
import type { Fix } from '../../reviews/runs/fix-record.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { type Done, type Order, unchanged } from './carry-out.ts';

/** Commits all safe suggestions, or nothing. A retry after a crash recognizes the commit. */
export async function orderFix(
  deps: ConversationDeps,
  scene: Scene,
  { said, hasSeat, isRepeated, now }: Order,
): Promise<(tx: Tx) => Promise<Done>> {
  if (!hasSeat) return async () => unchanged(answerTexts.noSeat);
  if (isRepeated) return async () => unchanged(answerTexts.answeredBefore);
  const { pull } = scene;
  const { id, username: name } = said.author;
  const actor = { type: 'user', id, name, subtitle: null, isBot: false } as const;
  const fix = await fixOnCommand(deps, scene, { pull, request: said.key, actor, now });
  if (fix?.state !== 'done') {
    const reason = fix?.reason ?? fixRefusals.notReviewed;
    return async () => unchanged(answerTexts.notFixed(reason));
  }
  const answer = await answerOf(deps, fix);
  return async () => unchanged(answer);
}

async function answerOf({ database: { sql } }: ConversationDeps, fix: Fix): Promise<string> {
  const said = answerTexts.fixed(fix.commit!, await listFixed(sql, fix));
  return fix.leftOver === 0 ? said : `${said}\n\n${answerTexts.leftOver(fix.leftOver)}`;
}
