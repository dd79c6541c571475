"""What makes a sentence a rule, a decision or a fact that lasts: cues and their weights."""

from __future__ import annotations

from curator.core.cue import Cue

RULES = (
    Cue(
        "standing",
        1.6,
        "always never default at_all_times as_a_rule under_no consistently everywhere _ever",
        r"\b(?:(?<!not )always|never(?! ?mind| \w+ed\b| dealt| had| got| been| saw| seen| gets?\b)|everywhere"
        r"|consistently|by default|at all times|as a (?:general )?rule(?! of)|(?:not|n'?t|no)\b.{0,50} ever\b"
        r"|under no circumstances)\b",
    ),
    Cue(
        "cadence",
        1.6,
        "every each_ before after whenever from_now from_here going_forward",
        r"\b(?:from now on|from here on|going forward|every ?time|each time|whenever(?! i\b| (?:a|the) users?\b)"
        r"|(?:before|after|on|at)"
        r" (?:every|each|any) (?!of\b)(?=\w+(?: \w+)?[.,!]|(?:new )?(?:commit|push|change|pr|test|release|deploy"
        r"|merge|build|edit|phase|step|run)\b)|every (?:new |single )?(?:commit|change|pr|test|file|module|function"
        r"|class|endpoint|feature|release|migration|table|query|error))\b",
    ),
    Cue(
        "general",
        0.9,
        "general future can_only",
        r"\bin general(?! as)\b|\bin (?:the )?future\b|\bcan only (?!see\b|find\b)",
    ),
    Cue(
        "rule",
        2.0,
        "rule memory memories .md",
        r"\b(?:add|make|create|write|set|save|put|update) (?:a|an|the|an existing|another|as"
        r")? ?(?!this |that )(?:\w+ )?rule\b"
        r".{0,40}? (?:that|to|which|for|saying|specif\w+|stating|providing|about|on) (?!it\b|this\b|that\b|them\b"
        r"|make sure"
        r" you)\w+ \w+ \w+|\b(?:add|save|put|write|document|note) (?!this\b|it\b|that\b|these\b).{8,60}\b(?:to|in"
        r"|into) (?:your |the )?(?:memory|memories|rules|CLAUDE\.md|AGENTS\.md)",
    ),
    Cue(
        "notice",
        1.2,
        "fyi record aware heads granted mind",
        r"\bFYI\b|\bfor the record\b|\bbe aware\b|\bheads[- ]up\b|\bfor granted\b|\bbear in mind\b",
    ),
    Cue(
        "remember",
        2.0,
        "remember remeber in_mind note reference forget",
        r"(?:^|[,.;:!(\u2013-] ?|\b(?:please|and|but|also|so|just|should|must|to|too|always) )(?:rem(?:em"
        r"|e)ber(?! correctly| if| when"
        r"| how)|keep in mind|note that|don'?t forget that)\b|\bfor future reference\b",
    ),
    Cue(
        "prohibition",
        1.6,
        "n't not never avoid stop no_ dont",
        r"<lead>(?:do not|don'?t(?: you)?(?: ever)?|never|avoid|stop)\s+(?:ever )?(?!need|worry|forget|know\b"
        r"|understand|think\b|see\b|get\b|wait|bother|care\b|mind\b|i\b|it\b|you\b|we\b|have\b|want\b|like\b)\w+"
        r"|<lead>no (?:more )?(?!need|idea|worries|problem|longer|matter|wait|there|what|why|how|just|only|we\b"
        r"|you\b|it\b|its|the\b|this\b|that\b|all\b|one\b|make|i\b)[\w-]+(?: [\w-]+){0,3} (?:in|on|for|from"
        r"|without|unless|allowed)\b|^no (?!idea|need|problem|worries|wait|there|what|just"
        r"|it\b)[\w-]+(?: [\w-]+){0,3},? please\b|(?:,|[;:]| and| so| but)\s+(?:please )?(?:do not|don'?t|never"
        r"|avoid) (?!\w+[^s]s\b|need|know|think|see\b|want|have\b|worry|get\b|work|forget)\w+",
    ),
    Cue(
        "policy",
        1.5,
        "we_",
        r"<clause>we (?:already |now |also |still |just |only |generally |usually |do |really )*(?:don'?t|do not"
        r"|use(?! to)|only|never(?! \w+ed\b| dealt| had| got)|always|prefer|cho(?:se|osed)|decided|agreed|dropped"
        r"|want to (?:keep|avoid|support)|support|store|track|follow|target|deploy|no longer|switched|(?:are"
        r"|'re) (?:not |no longer |only )?(?:using|on|stuck on|pinned to)|aren'?t using|(?:can'?t|cannot) (?:use"
        r"|rely|support|upgrade|depend)|stick to|keep)\b(?! (?:have|need|see|know|want|get|seem|even|care|make) )",
    ),
    Cue(
        "decision",
        1.5,
        "purpose design truth intentional deci agreed compatib scope",
        r"\b(?:on purpose|by design|source of truth|intentional(?:ly)?|deliberate(?:ly)?|(?:we|i|was|is|been"
        r"|have) decided|decision (?:is|was)|agreed (?:to|that|on)|backwards?[- ]compatib\w+|(?:out of"
        r"|not in) scope)\b",
    ),
    Cue(
        "choice",
        0.9,
        "let's lets we'll i'd i'll i_would go_with think better need",
        r"\b(?:let'?s|we'?ll|i'?d|i would|i'?ll) (?:rather )?(?:go with|stick (?:with|to)|keep|use|not|avoid|drop"
        r"|prefer)\b|\bi don'?t think we (?:need|should|want|have)\b|\b(?:we|you) (?:don'?t"
        r"|do not) need\b(?! (?:me|any more))|\bbetter (?:not )?to\b",
    ),
    Cue(
        "agreed",
        1.5,
        "we_ as_i i_told i've i_already precedence",
        r"\b(?:we (?:already )?(?:decided|said|agreed)|as i (?:said|mentioned)|i(?:'ve"
        r"| have)? (?:already )?told you(?! to)|we did (?:that|it) on purpose|we (?:wanted|agreed|planned) to (?:use"
        r"|keep"
        r"|avoid)|takes? precedence)\b",
    ),
    Cue(
        "must",
        1.0,
        "must allowed permitted",
        r"\b(?:is|are|be)(?:n'?t| not) (?:allowed|permitted)\b|\bmust(?:n'?t| not)?\b(?! (?:be something"
        r"|have (?:been|some)|be \w+ing))",
    ),
    Cue(
        "forbidden",
        1.2,
        "should must supposed",
        r"\b(?:should|must) (?:never|not(?! only)|only|always)\b|\bshouldn'?t\b|\bmustn'?t\b|\b(?:is|are)(?:n'?t"
        r"| not) supposed to\b",
    ),
    Cue(
        "obligation",
        0.7,
        "need has_to have_to required",
        r"\b(?:needs? to (?:be|stay|remain)|ha(?:s|ve) to|(?:is|are) required)\b",
    ),
    Cue(
        "should",
        0.6,
        "should",
        r"\bshould\b",
    ),
    Cue(
        "asked first",
        1.4,
        "without unless ask check wait",
        r"\bwithout (?:asking|my|explicit|permission|approval|confirm\w*|consult\w*|telling|checking with)\b"
        r"|\bunless i (?:ask|say|tell|explicitly|approve|request)\w*|\bunless (?:explicitly "
        r"|specifically )?(?:asked|told|requested|instructed|justified)\b|\b(?:ask|check with) (?:me|us) (?:first"
        r"|before)|\bask (?:first|before)\b|\bwait for my (?:approval|ok|go)",
    ),
    Cue(
        "contrast",
        1.0,
        "not rather_than instead_of over_",
        r"(?:,| and| but) not (?:in |on |a |an |the |by |to |just |through |via |with )?(?!so\b|sure\b|working\b"
        r"|yet\b)[\w`/~.-]+(?: \w+){0,2}[.!]?$|\brather than \w+|(?<!^)\binstead of \w+|\bprefer\w* .{2,40} (?:over"
        r"|to) ",
    ),
    Cue(
        "habit",
        0.9,
        "supports runs accepts allows ships uses works support run accept allow use work to_be by_hand read-only "
        "tricky requires expects",
        r"\b(?:we|it|this (?:repo|project|package|library|service|codebase)|ci|the [\w-]+(?: \w+)?) (?:no longer"
        r"|only|doesn'?t|does not|never|always) (?:supports?|runs?|accepts?|allows?|ships?|uses?|works? (?:on|with"
        r"|in|if|when)|requires?|expects?)\b|\b(?:not to be|never to be|must not be|by hand|read-only|(?:tricky"
        r"|hard|important) (?:part|thing|bit) is)\b",
    ),
    Cue(
        "preference",
        1.6,
        "prefer rather",
        r"\bi (?:would |strongly |really |generally |usually |always )*prefer\b(?! (?:if|it|this|that|them"
        r"|these|previous|(?:the )?(?:old|first|second|previous|last))\b)|\bi'?d (?:rather|prefer)\b(?! (?:if|it|this"
        r"|that|them|these)\b)|^prefer(?:ably)?\b"
        r"|\bmy preference\b|\bpreferred (?:way|approach|style)\b",
    ),
    Cue(
        "unwanted",
        1.4,
        "want like",
        r"\b(?:we|i) (?:really |do |also )?(?:don'?t|do not|never) (?:ever |really )?want (?!you\b|me\b|us\b"
        r"|to (?:see|know|do|go|get|have to|change|make|lose)\b)|\b(?:we|i) (?:really )?(?:don'?t"
        r"|do not) like (?!it\b|that\b|this\b|the\b|how\b|wh)\w+",
    ),
    Cue(
        "want",
        0.5,
        "want",
        r"\b(?:we|i) (?:do |really |also |only )*want (?!you\b|me\b|us\b|to\b|this\b|that\b)",
    ),
    Cue(
        "here",
        1.5,
        "this_ our_",
        r"\b(?:in|for|of) (?:this|our) (?:repo\w*|project|code ?base|monorepo|team|company)\b|\b(?:this"
        r"|our) (?:repo\w*|project|code ?base|monorepo|team|company) (?:uses?|do|needs?|follows?|supports?"
        r"|requires?|only|never|always|can)\b|\b(?:this|our) (?:repo\w*|project|code ?base|monorepo) (?:has|have"
        r"|is)\b",
    ),
    Cue(
        "generic",
        1.3,
        "s_ every any all each only no",
        r"^(?!(?:make|ensure|be|check|fix|see|think|so|and|but|the|these|those|this|some|now|if|when|is|does|there"
        r"|it|they|what|why|how|which|my|your|his|its|yes|was|has|let's|lets|it's|that's|here's|things|results"
        r"|changes|looks|seems|thanks|always)\b)(?:[\w`/.-]+ ){0,2}[\w`/.-]+s (?:are (?!now|still|not (?:working"
        r"|visible|show)|all|\w+ing|you|we|there)|must|need(?! to (?:fix|add|update))|should|go (?:in|into|to"
        r"|under)|lives?|starts?|ends?|belongs?|comes?|uses?|never|always|requires?) |^(?:all|every|each|any"
        r"|everything|anything|nobody|nothing|only(?! change| add| do\b| use| show| fix| edit| update"
        r"| remove)) (?:(?! that | which ).){3,60}? (?:is|are|has|must|should|needs?|go|goes|lives?|may|uses?"
        r"|belongs?) (?!now\b|still\b|not \w+ing|\w+ing\b|gone|broken)",
    ),
    Cue(
        "why",
        1.1,
        "why reason",
        r"\b(?:that'?s|that is|which is) why\b|\bthe reason (?:we|for|why)\b",
    ),
    Cue(
        "tried",
        1.5,
        "we_",
        r"\bwe (?:already |once |previously )?tried\b(?! to (?:fix|run|open))",
    ),
    Cue(
        "consequence",
        1.0,
        "otherwise or_ bit_us burn",
        r"\botherwise (?:it|they|the|you|we|\w+s)\b|,? or (?:else|it|they|the \w+) (?:will|won'?t|can'?t|\w+s)\b"
        r"|\bbit(?:es)? us\b|\bor you(?:'ll| will)\b",
    ),
    Cue(
        "status",
        1.2,
        "frozen away limits owned only generated third- legacy immutable",
        r"\b(?:is|are) (?:\w+ )?(?:frozen|going away|off[- ]limits|owned by|read-only|append-only|immutable"
        r"|auto-?generated|generated (?:by|from)|third[- ]party)\b",
    ),
    Cue(
        "unlike",
        1.0,
        "unlike",
        r"\bunlike (?:the |in |our |other )?\w+",
    ),
    Cue(
        "as possible",
        1.4,
        "possible",
        r"\b(?:where|when)(?:ver|ever)? (?:at all )?possible\b|\bas (?:much|little|few|simple|small|short"
        r"|possible) as possible\b|\bif at all possible\b",
    ),
    Cue(
        "use",
        0.8,
        "use prefer stick keep_",
        r"^for [\w -]{3,30},? (?:always |please )?use |\buse [\w`.-]+ instead\b|<lead>(?:only )?(?:use|prefer"
        r"|stick (?:to|with)|keep (?!in mind|going|it\b|this\b|that\b)) ?(?!this\b|that\b|these\b|option|it\b"
        r"|your\b)",
    ),
    Cue(
        "only",
        0.8,
        "only",
        r"\bonly (?:ever )?(?:be )?(?:used|supported|allowed|valid|available|(?:be )?run|for|via|through) "
        r"|\bthe only (?:way|place|thing)\b",
    ),
    Cue(
        "change",
        1.2,
        "more longer deprecated phased obsolete replaced renamed now_",
        r"\b(?:we|you)\b.{0,40}(?:\bnot|n'?t|\bnever)\b.{0,40}\bany ?more\b|\b(?:we|you|is|are) no longer (?:need"
        r"|us|support|hav|maintain|allow|requir)\w*|\bno longer (?:supported|used|needed|required|maintained"
        r"|exists?)\b|\bdeprecated\b|\bphased out\b|\bobsolete\b|\b(?:was|been|is|are|were) (?:replaced (?:by"
        r"|with)|renamed)\b|\bnow (?:uses?|lives?|supports?|requires?) ",
    ),
    Cue(
        "convention",
        1.7,
        "convention guideline pattern style standard practice tdd naming test_ tests follow conventional .md",
        r"\b(?:conventions?|(?<![-@])guidelines?(?!\.)|(?:our|the (?:same|existing|usual)|design) patterns?"
        r"|style ?guide"
        r"|coding style|(?:our|coding|project|code) standards?|best practices?|TDD|naming (?:convention|scheme"
        r"|should|must|is)|tests? (?:first|before)|follow(?:ing)? (?:the (?:existing|same|usual|project)|our)"
        r"|conventional[- ]commits?)\b|\b(?:writ(?:e|ing)|start with|begin (?:with|by writing)) (?:the |failing "
        r"|integration |unit )*tests?\b(?:.{0,40}\b(?:first|before)\b|,? then)",
    ),
    Cue(
        "gotcha",
        1.3,
        "cause culprit trick catch turns_out caveat gotcha limitation workaround works work support possible "
        "breaks can't cannot finicky only_works",
        r"\b(?:the (?:root cause|culprit|trick|catch) (?:was|is)|(?<!it )turns out|caveats?|gotcha|known (?:issue"
        r"|limitation)|workaround|(?:does not|doesn'?t|won'?t|can'?t|cannot) (?:support \w+|work|render|handle|run"
        r"|be used) (?:on|with|in|for|when|if|without|under)|not (?:supported|possible) (?:on|with|in|by|for)"
        r"|only works? (?:on|with|in|if|when)|breaks? (?:if|when|on)|finicky)\b",
    ),
    Cue(
        "ensure",
        0.7,
        "make_sure ensure be_sure",
        r"<lead>(?:always )?(?:make sure|ensure|be sure)\b",
    ),
    Cue(
        "place",
        0.9,
        "should belong go_ goes stored kept located defined prefix suffix naming live",
        r"\bshould(?: not|n'?t| always| only)? (?:live|go|move|belong) (?:in|into|to|under)\b|\bbelongs? (?:in|to"
        r"|under)\b|\b(?:prefix|suffix)ed (?:with|by)\b|\b(?:need|must|should|use|always|with) (?:a |an "
        r"|the )?(?:\w+ )?(?:prefix|suffix)\b|\b(?:lives?|goes?|stored|kept|located|defined) (?:in|into"
        r"|under|at|on) (?:the )?[\w~`.-]*[/.]\w",
    ),
    Cue(
        "quality",
        1.1,
        "dry yagni english driven self-contained strict opt-in opt-out local_first best_effort",
        r"\b(?:DRY|YAGNI|KISS|(?:US|UK|British|American) English|(?:table|data|test)[- ]driven|self-contained"
        r"|strict mode|opt-?in|opt-?out|local first|best effort)\b",
    ),
    Cue(
        "shouted",
        0.7,
        "",
        r"\b(?:NOT|NEVER|ALWAYS|ONLY|DON'?T|MUST|EXACTLY)\b",
        shouted=True,
    ),
    Cue(
        "other order",
        1.8,
        "总是 永远 始终 不要 必须 务必 禁止 以后 记住 注意 尽可能 尽量 统一 规范 严格 优先 不需要 仅仅 只能 只需 "
        "必ず 常に 絶対 しないで 禁止 今後 覚えて ください べき immer niemals nie_ grundsätzlich künftig ab_jetzt "
        "darf dürfen müssen muss_ merk toujours jamais désormais dorénavant il_faut retiens n'utilise ne_pas "
        "siempre nunca jamás a_partir_de de_ahora recuerda no_uses debe_ deben_ sempre lembre deve_",
        r"总是|永远|始终|不要(?![でな。]|$|.{0,4}了)|必须|务必|禁止|以后|记住|注意|尽可能|尽量|统一|规范|严格|优先"
        r"|不需要"
        r"|仅仅|只能|只需|必ず|常に|絶対|しないで|禁止|今後|覚えて|べき|\b(?:immer (?!noch)|niemals|nie "
        r"|grundsätzlich|künftig|ab jetzt|darf nicht|dürfen nicht|müssen|muss |merk dir)|\b(?:toujours (?!pas)"
        r"|jamais|désormais|dorénavant|il (?:ne )?faut|retiens|n'utilise|ne pas)|\b(?:siempre|nunca|jamás"
        r"|a partir de|de ahora en|recuerda que|no uses|debe[n]? |sempre|lembre|deve[m]? )",
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
