"""What makes a sentence a rule, a decision or a fact that lasts: cues and their weights."""

from __future__ import annotations

from curator.core import tongues
from curator.core.cue import Cue

RULES = (
    Cue(
        "standing",
        1.6,
        "always never at_all_times as_a_rule under_no _ever",
        r"(?:<lead>|[,;:.(\u2013\u2014-]\s*|\b(?:we|you|should|must|shall|(?<!need )to|please|are|and|or|be sure"
        r"|everyone|nobody"
        r"|tests?|code|claude|agents?) )(?:(?<!not )always(?! been)|never(?! ?mind"
        r"| (?!need|us|fe)\w+ed\b| dealt| had| got| been| saw| seen| gets?\b| used| came))\b|\b(?:at all times"
        r"|as a (?:general )?rule(?! of)"
        r"|under no circumstances)\b|(?:\bnot|n'?t|\bno)\b.{0,50} ever\b",
    ),
    Cue(
        "habitual",
        0.9,
        "always never default everywhere consistently",
        r"\b(?:(?<!not )(?<!most )always|never(?! ?mind| \w+ed\b| dealt| had| got| been| saw| seen| gets?\b| came)"
        r"|everywhere"
        r"|consistently|by default)\b",
    ),
    Cue(
        "cadence",
        1.6,
        "always every each_ before after whenever from_now from_here going_forward",
        r", always\W*$|\b(?:from now on(?!,? i\b)|from here on|(?<!plan )(?<!easier )(?<!better )going forward"
        r"|(?:every ?|each )time(?! (?:you'?ve|i\b|it\b|is\b|was\b|we'?ve|the))|(?:^|[,;:(] ?|\band |\bor |\bplease )"
        r"whenever(?! i\b| (?:a|the) users?\b| they\b)|whenever (?:you|(?:(?:a|an|any|the) )?(?:new )?(?:prs?|pull"
        r"|commit|branch|release|migration|schema|test|code))\b"
        r"|(?:before|after|on|at)"
        r" (?:every|each|any) (?!of\b)(?=(?:new )?(?:commit|push|change|pr|test|release|deploy"
        r"|merge|build|edit|phase|step|run)\b)|every (?:new )?(?:commit|change|pr|test|feature|release|migration"
        r"|deploy)"
        r"|every new (?:file|module|function|class|endpoint|table|query))\b",
    ),
    Cue(
        "general",
        0.7,
        "general future can_only",
        r"\bin general(?! as)\b|\bin (?:the )?future\b|\bcan only (?!see\b|find\b)",
    ),
    Cue(
        "rule",
        2.0,
        "rule memory memories .md instructions",
        r"\b(?:update|change|extend|edit) (?:the|my|your|our) (?:\w+ )?(?:instructions|CLAUDE\.md|AGENTS\.md|rules)"
        r" (?:so|that|to (?:say|mention|always|never)) \w+ \w+"
        r"|\b(?:update|add to|save to|put in|write to) (?:your |the )?memor(?:y|ies)\b|\b(?:add|make|create|write|set"
        r"|save|put) (?:a|an|another|as a)(?: new)? (?!this |that )?(?:\w+ )?rule\b"
        r".{0,40}? (?:that|to|which|for|saying|specif\w+|stating|about|on) (?!other|it\b|this\b|that\b|them\b"
        r"|make sure"
        r" you)\w+ \w+ \w+|\b(?:add|save|put|document|note) (?!this\b|it\b|that\b|these\b).{8,60}\b(?:to|in"
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
        1.9,
        "remember remeber in_mind note reference forget",
        r"(?:^|[.;:!(\u2013-] ?|\b(?:please|and|but|also|so|ok|should|must|always),? )(?:please )?(?:(?:remember"
        r"|keep in mind|note)"
        r",? that\b(?! was| time| work)|remember,? (?:the|our|we(?:'re)?|it'?s|there(?:'s| is| are)|not to|in|is"
        r"|never|always|this is)"
        r" (?!time|work|last)|remeber,? (?:that|the|this is|we)\b"
        r"|remember:|keep in mind (?!to\b|this\b|it\b)|don'?t forget that)|\bfor future reference\b",
    ),
    Cue(
        "prohibition",
        1.6,
        "n't not never avoid stop no_ dont",
        r"<lead>(?:do not|don'?t(?: you)?(?: ever)?|never|avoid|stop)\s+(?:ever )?(?!need|worry|forget|look\b"
        r"|continue|proceed|start\b|know\b"
        r"|understand|think\b|see\b|get\b|wait|bother|care\b|mind\b|i\b|it\b|you\b|we\b|have\b|want\b|like\b)\w+"
        r"|<lead>no (?:more )?(?!need|idea|worries|problem|longer|matter|wait|there|what|why"
        r"|how)[\w-]+(?: [\w-]+){0,3} "
        r"(?:unless|allowed|without|in (?:the )?(?:tests?|prod\w*|code|main|commits?))\b"
        r"|^no (?!idea|need|problem|worries|wait|there|what|just"
        r"|it\b)[\w-]+(?: [\w-]+){0,3},? please\b",
    ),
    Cue(
        "aside",
        1.3,
        "n't not never avoid dont",
        r"(?:,|[;:]| and| so| but)\s+(?:please )?(?:do not|don'?t|never"
        r"|avoid) (?!\w+[^s]s\b|need|know|think|see\b|want|have\b|worry|get\b|work|forget)\w+",
    ),
    Cue(
        "policy",
        1.5,
        "we_",
        r"<clause>we (?:already |now |also |still |just |only |generally |usually |do |really )*(?:don'?t|do not"
        r"|use(?! to)|only|never(?! \w+ed\b| dealt| had| got)|always|prefer|cho(?:se|osed)|decided|agreed|dropped"
        r"|want to (?:keep|avoid|support)|support|follow|target|deploy|no longer|switched|(?:are"
        r"|'re) (?:not |no longer |only )?(?:using|on|stuck on|pinned to)|aren'?t using|(?:can'?t|cannot"
        r"|must not) (?:edit|change|modify|touch|use"
        r"|rely|support|upgrade|depend)|stick to|keep)\b(?! (?:have|(?:\w+ly )?need|see|know|want|get|seem|even|care"
        r"|make|\w+ing|that|this|it|to eat) )",
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
        r"|do not) need\b(?! (?:me|any more|the|this|that|it|to)\b)|\bbetter (?:not )?to\b",
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
        1.5,
        "should must supposed",
        r"\b(?:should|must) (?:never|not(?! only)|only|always)\b|\bshouldn'?t\b|\bmustn'?t\b|\b(?:is|are)(?:n'?t"
        r"| not) supposed to\b",
    ),
    Cue(
        "obligation",
        0.7,
        "need has_to have_to required",
        r"\b(?:needs? to (?:be|stay|remain)|(?<!you )ha(?:s|ve) to|(?:is|are) required)\b",
    ),
    Cue(
        "upkeep",
        1.5,
        "updated up-to-date up_to_date in_sync forget sure_to",
        r"\b(?:don'?t forget|make sure|be sure) to .{4,80}? (?:when(?:ever)?|(?:every|each) time|before) (?:you|we) "
        r"|\bkeep (?:the |your |our |them |all )?[\w./-]*(?: [\w./-]+){0,5} ?(?:updated|up[- ]to[- ]date|in sync)\b",
    ),
    Cue(
        "environment",
        1.5,
        "windows mac linux wsl ubuntu powershell zsh pnpm yarn bun npm uv poetry conda docker podman nixos",
        r"\b(?:i'?m|i am|we'?re|we are|you'?re|you are) (?:on|using|running(?: on)?) (?:a )?(?:windows|mac\w*|linux"
        r"|wsl|ubuntu|powershell|zsh|pnpm|yarn|bun|npm|uv|poetry|conda|docker|podman|nixos)\b(?! and)"
        r"|<lead>(?:always |only )?use [\"'`]?(?:uv|pnpm|yarn|bun|poetry|conda|podman)\b",
    ),
    Cue(
        "conduct",
        0.7,
        "we_should we_must you_should you_must claude agent don't dont do_not never stop",
        r"\b(?:we|you|claude|(?:the |all )?agents?|cursor(?: ai)?) (?:should|must) (?:not|never|always|only)\b"
        r"|<lead>(?:do not|don'?t|never|stop) (?:ever )?(?:ask(?:ing)?|tell(?:ing)?|giv(?:e|ing)|assum(?:e|ing)"
        r"|guess(?:ing)?|explain(?:ing)?"
        r"|summari[sz](?:e|ing)|apologi[sz](?:e|ing)|repeat(?:ing)?|hallucinat(?:e|ing)|los?e sight)\b",
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
        r"|in|if|when)|requires?|expects?)\b|\b(?:(?:tricky"
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
        1.5,
        "want like",
        r"\b(?:we|i) (?:really |do |also )?(?:don'?t|do not|never) (?:ever |really )?want (?!you\b|me\b|us\b|the\b"
        r"|that|those|these|this|a\b|it\b|to (?:see|know|do|go|get|have to|change|make|lose)\b)|\b(?:we"
        r"|i) (?:really )?(?:don'?t"
        r"|do not) like (?!it\b|that\b|this\b|the\b|how\b|wh)\w+",
    ),
    Cue(
        "want",
        0.2,
        "want",
        r"\b(?:we|i) (?:do |really |also |only )*want (?!you\b|me\b|us\b|to\b|this\b|that\b)",
    ),
    Cue(
        "here",
        1.4,
        "this_ our_",
        r"\b(?:this|our) (?:repo\w*|project|code ?base|monorepo|team|company) (?:uses?|follows?|supports?|requires?"
        r"|only"
        r"|never|always|targets?)\b|\b(?:in|for) (?:this|our) (?:repo\w*|project|code ?base|monorepo|team|company),? "
        r"(?:we|always|never|all|every|no|use|only|do not|don'?t|tests?|services|the)\b",
    ),
    Cue(
        "about here",
        0.6,
        "this_ our_",
        r"\b(?:in|for|of) (?:this|our) (?:repo\w*|project|code ?base|monorepo|team|company)\b"
        r"|\b(?:this|our) (?:repo\w*|project|code ?base|monorepo) (?:has|have|is|needs?)\b",
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
        "frozen away limits generated owned not_to_be never_to_be by_hand read-only only generated third- legacy "
        "immutable",
        r"\b(?:are|is) (?:not|never) to be \w+ed\b|\bedit\w* by hand\b|\b(?:is|are) (?:\w+ )?(?:frozen|going away"
        r"|off[- ]limits|owned by|read-only|append-only|immutable"
        r"|auto(?:matically )?-?generated|generated (?:by|from)|third[- ]party)\b",
    ),
    Cue(
        "unlike",
        1.0,
        "unlike",
        r"\bunlike (?:the |in |our |other )?\w+",
    ),
    Cue(
        "as possible",
        1.1,
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
        "use for",
        0.9,
        "use_",
        r"<lead>(?:always |only )?use (?!this|that|it\b|the\b|these|your|my|a\b|an\b)[\w./-]+ for (?:the |all |our "
        r"|any )?(?!this|that|it\b|now|these)\w+",
    ),
    Cue(
        "this not that",
        1.2,
        "use prefer",
        r"(?:<lead>|^(?:for|in) [\w` -]{3,30},? |\bplease )(?:always )?(?:use|prefer) [\w`@/.-]+(?: [\w`.-]+){0,2},? "
        r"(?:instead of|rather than|over|(?:and )?not) (?:the )?[\w`@/.-]+(?: [\w`@/.-]+){0,3}(?:,? in [\w./ -]{2,30})?"
        r"[.!)]*$",
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
        1.5,
        "more longer deprecated phased obsolete replaced renamed now_ moved switched migrated",
        r"\b(?:we|you)\b(?!.{0,30}\bneed).{0,40}(?:\bnot|n'?t|\bnever)\b.{0,40}\bany ?more\b|\bdeprecated\b"
        r"|\b(?:we|you|is|are) no longer (?:need|us|support|hav|maintain|allow|requir)\w*|\bphased out\b|\bobsolete\b"
        r"|<clause>we(?: have|'ve)? (?:moved|switched|migrated) .{0,60}?\bto \w|\bno longer (?:supported|used"
        r"|needed|required|maintained|installed|deployed|built|run|stored|kept|exists?)\b"
        r"|\b(?:was|been|is|are|were) (?:replaced (?:by|with)|renamed)\b|\bnow (?:uses?|lives?|supports?|requires?) ",
    ),
    Cue(
        "convention",
        1.7,
        "convention guideline pattern style standard tdd naming test_ tests follow conventional .md",
        r"\b(?:conventional[- ]commits?|style ?guide|coding style|our (?:coding |code )?standards?|TDD"
        r"|naming (?:scheme|should|must|is)|tests? (?:first|before)|(?:the|our|same|use"
        r"|follow\w*) (?:\w+ )?conventions?(?! (?:was|were|for this))"
        r"|follow(?:ing)? (?:the (?:existing|same|usual|project)|our (?:code|coding|existing|naming|style|usual))"
        r"|(?:the same|the existing|our) (?:\w+ )?patterns?)\b"
        r"|\b(?:writ(?:e|ing)|start with|begin (?:with|by writing)) (?:the |failing |integration |unit )*tests?\b"
        r"(?:.{0,40}\b(?:first|before)\b|,? then)",
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
        r"\bshould(?: not|n'?t| always| only)? (?:live|go|move|belong|be (?:stored|placed|kept|saved)) (?:in|into|to"
        r"|under)\b|\bbelongs? (?:in|to"
        r"|under)\b|\b(?:prefix|suffix)ed (?:with|by)\b|\b(?:need|must|should|use|always|with) (?:a |an "
        r"|the )?(?:\w+ )?(?:prefix|suffix)\b|\b(?:lives?|goes?|stored|kept|located|defined) (?:in|into"
        r"|under|at|on) (?:the )?[\w~`.-]*[/.]\w",
    ),
    Cue(
        "quality",
        0.8,
        "dry yagni english driven self-contained strict opt-in opt-out local_first best_effort best_practice",
        r"\b(?:(?-i:DRY|YAGNI|KISS)|(?:US|UK|British|American) English|(?:table|data|test)[- ]driven|self-contained"
        r"|strict mode|opt-?in|opt-?out|local first|best effort|best practices?)\b",
    ),
    Cue(
        "shouted",
        0.7,
        "",
        r"\b(?:NOT|NEVER|ALWAYS|ONLY|DON'?T|MUST|EXACTLY)\b",
        shouted=True,
    ),
    *tongues.RULES,
)
