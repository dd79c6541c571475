"""What makes a sentence last in German, French, Spanish, Portuguese, Chinese and Japanese: the plainest cues."""

from __future__ import annotations

from curator.core.cue import Cue

RULES = (
    Cue(
        "other order",
        1.8,
        "总是 永远 始终 不要 必须 务必 禁止 以后 今后 记住 必ず 常に 絶対 しないで 禁止 今後 覚えて immer niemals "
        "nie_ "
        "grundsätzlich künftig ab_jetzt merk toujours jamais désormais dorénavant retiens n'utilise ne_pas "
        "siempre nunca jamás a_partir_de de_ahora recuerda no_uses sempre lembre",
        r"(?:^|[\uff0c。\uff1b\uff1a,:])\s*(?:请)?(?:总是|永远|始终|不要(?![でな。]|$|.{0,4}了)|必须)|务必|禁止|记住"
        r"|(?:^|[\uff0c。\uff1b,])(?:以后|今后).{0,8}?(?:都|不要|请|每次|必须|别|统一|一律|默认|记得|只)"
        r"|必ず|常に|絶対|しないで|今後|覚えて"
        r"|(?:^|\bbitte |\bmuss |\bmüssen |\bsoll\w* )immer (?!noch)|(?:^|\bdarf |\bdürfen |\bsoll\w* )(?:niemals"
        r"|nie) "
        r"|\b(?:grundsätzlich|künftig|ab jetzt|merk dir)\b"
        r"|(?:^|\bdois |\bdoit |\bfaut |\bdevez )toujours \w|(?:^ne |\bsoit |\bsoient |\bdois |\bdoit |\bfaut )jamais"
        r"|\b(?:désormais|dorénavant|retiens que)\b|^n'utilise|^ne pas "
        r"|(?:^|\bdeb\w+ )(?:siempre|nunca|jamás|sempre)\b|\b(?:siempre|nunca) \w+(?:as|es)\b"
        r"|\b(?:a partir de ahora|de ahora en|recuerda que|no uses|lembre)\b",
    ),
    Cue(
        "other must",
        0.9,
        "总是 永远 始终 不要 必须 注意 尽可能 尽量 统一 规范 严格 优先 不需要 仅仅 只能 只需 べき ください darf "
        "dürfen "
        "müssen muss_ il_faut debe_ deben_ deve_ devem_",
        r"总是|永远|始终|不要(?![でな。]|$|.{0,4}了)|必须|注意|尽可能|尽量|统一|规范|严格|优先|不需要|仅仅|只能|只需"
        r"|べき"
        r"|\b(?:darf nicht|dürfen nicht|müssen|muss |il (?:ne )?faut|debe[n]? |deve[m]? )",
    ),
    Cue(
        "other contrast",
        1.0,
        "而不是 ではなく 代わりに statt sondern au_lieu pas_ en_lugar en_vez em_vez",
        r"而不是|(?<!だけ)ではなく|代わりに|\bstatt \w|\bnicht .{2,40}, sondern\b|\bau lieu d"
        r"|, pas (?:de )?[\w-]+[.!]?$|\ben (?:lugar|vez) de\b|\bem vez de\b",
    ),
    Cue(
        "other policy",
        1.5,
        "我们 改用 を使 wir_ on_utilise on_n nous_ usamos utilizamos preferimos prefiero je_préfère",
        r"我们(?:统一|已经|不再|只|都|使?用)|改用|を使(?:う|い|って)|\bwir (?:verwenden|nutzen|benutzen|haben uns"
        r"|machen"
        r"|unterstützen|setzen)|\b(?:on|nous) (?:utilise|n'utilise|préfère|ne )|\bje préfère"
        r"|\b(?:usamos|utilizamos|preferimos|prefiero)\b",
    ),
)
