/**
 * Replies in languages other than English: German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Turkish,
 * Chinese, Japanese and Korean. Only short, plain sentences, since the same words within a longer sentence can mean
 * anything.
 */
const maxLength = 80;

const question = /[?？]\s*$|(?:吗|ですか|ますか|까요)\s*[.。?？]?\s*$/u;

/** Means not, not yet, or only some day. */
const unfinished =
  /(?<!\p{L})(?:nicht|noch|kein\w*|wird|werde\w*|muss|soll\w*|später|teilweise|pas|jamais|encore|sera|bientôt|partiellement|no|aún|todavía|será|luego|parcialmente|não|nao|ainda|depois|vou|non|ancora|dopo|niet|nog|later|nie|jeszcze|potem|не|ещё|еще|пока|позже|частично|değil|henüz|sonra|wenn|falls|si|se|als|jeśli|если|eğer)(?!\p{L})|未|没|尚|稍后|以后|将|如果|部分|まだ|後で|予定|一部|ません|아직|나중|예정|않/iu;

const fixed =
  /^(?:(?:ok|okay|ja|oui|sí|si|sim|да|tak|evet|danke|merci|gracias|obrigad[oa]|grazie|bedankt|спасибо|dzięki|好的|谢谢|感谢|はい|ありがとうございます|네|감사합니다)[,.!。、\s]+)*(?:(?:ist|wurde|hab(?:e)?(?: ich)?|c'est|est|a été|j'ai|está|ya está|fue|foi|já|è stato|ho|is|heb|zostało|было|уже) )?(?:(?:jetzt|nun|bereits|schon|déjà|ya|agora|già|nu|już|уже|теперь) )?(?:erledigt|behoben|gefixt|korrigiert|angepasst|umgesetzt|gemacht|geändert|corrigée?|réglée?|fait|modifiée?|résolue?|arreglad[oa]|corregid[oa]|hecho|solucionad[oa]|listo|resuelt[oa]|corrigid[oa]|feito|resolvid[oa]|arrumad[oa]|ajustad[oa]|pronto|corretto|fatto|risolto|sistemato|opgelost|gedaan|aangepast|verholpen|poprawion[eoya]|poprawiłe?a?m|zrobione|naprawion[eoya]|исправлено|исправила?|поправила?|готово|сделано|сделала?|düzeltildi|düzelttim|yapıldı|tamamlandı)(?!\p{L})|^(?:好的?[，,。\s]*)?(?:已(?:经)?(?:修复|修改|解决|处理|更新|改|调整|完成)|改好了|修好了|修复了|已改)|(?:修正|対応|変更|修復)(?:いた)?しました|直しました|(?:修正|対応|反映)済み?|(?:수정|반영|변경|처리|해결)(?:했|하였|되었|됐)|(?:수정|반영|처리)\s*완료/iu;

const wontFix =
  /(?<!\p{L})(?:wird nicht (?:behoben|geändert|gefixt|gemacht)|absichtlich|ist (?:so )?gewollt|so gewollt|ist beabsichtigt|bleibt so|c'est (?:voulu|volontaire|intentionnel|normal)|(?:on|je) (?:ne )?(?:le )?(?:corrige|change)(?:ra|rai)? pas|on laisse comme ça|es intencional|es a propósito|no se va a (?:arreglar|cambiar|corregir)|así está bien|é intencional|é proposital|não (?:vou|vamos) (?:corrigir|alterar|mudar)|è (?:voluto|intenzionale)|is bewust|bewust zo|celowo|tak ma być|так задумано|специально|намеренно|не будем (?:исправлять|менять)|bilerek|kasıtlı)(?!\p{L})|设计如此|故意(?:的|这样)|有意为之|(?:不|无需|不需要|不打算|不会)(?:修复|修改|改动?|处理)|仕様です|意図的|意図した|対応しません|修正しません|의도(?:된|한|적)/iu;

const isShort = (sentence: string) => sentence.length <= maxLength && !question.test(sentence);

export function saysFixedAbroad(sentence: string): boolean {
  return isShort(sentence) && fixed.test(sentence) && !unfinished.test(sentence);
}

export function saysWontFixAbroad(sentence: string): boolean {
  const isDoubted =
    /(?<!\p{L})(?:vielleicht|peut-être|quizás|talvez|forse|misschien|może|возможно|belki)(?!\p{L})|可能|也许|かも|아마|不是(?:故意|设计)|(?:nicht|pas|no|não|non|niet|nie|не) (?:absichtlich|voulu|volontaire|intencional|voluto|bewust|celowo|специально|намеренно)/iu;
  return isShort(sentence) && wontFix.test(sentence) && !isDoubted.test(sentence);
}
