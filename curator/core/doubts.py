"""What supports a sentence that lasts, and what speaks against one: questions, tasks, reports. Cues and weights."""

from __future__ import annotations

from curator.core.cue import Cue

# What supports a rule but makes none alone.
SUPPORT = (
    Cue(
        "reason",
        0.7,
        "because since so_that reason otherwise in_order to_avoid that_way",
        r"\b(?:because|since (?:the|we|it|they|our)|so that|the reason|otherwise|in order to|to avoid|that way)\b",
    ),
    Cue(
        "condition",
        0.5,
        "if_ when once_ unless before after",
        r"^(?:and |but |so |also )?(?:if|when|once|unless|before|after) (?!i\b).{6,}?(?:,| then | use| do | must "
        r"| should )",
    ),
    Cue(
        "name",
        0.5,
        "",
        r"`[^`]+`|\b[\w-]+/[\w./-]+|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|--[a-z][\w-]+"
        r"|\b[A-Z]{3,}(?:_[A-Z]+)+\b|\b[\w-]+\.(?:py|ts|tsx|js|go|rs|md|json|ya?ml|toml|sh|css)\b",
        shouted=True,
    ),
    Cue(
        "statement",
        0.4,
        "",
        r"^(?:the|our|all|any|every|each|users?|there (?:is|are)|it'?s|in|both|these|this (?:project|repo\w*)"
        r"|tests?|[A-Z]?\w+s) (?:\S+ ){0,6}?(?:is|are|has|have|uses?|contains?|lives?|comes?|can|will|gets?|means"
        r"|belongs?|stores?|runs?|must|never|always) ",
    ),
    Cue(
        "process",
        0.5,
        "commit branch pull pr_ prs changelog lint ci_ test docs documentation docstring comment codebase repo rule "
        "convention release deploy production our_ migration dependenc import workspace worktree merge rebase .md "
        "config",
        r"\b(?:commits?|commit messages?|branch(?:es)?|pull requests?|PRs?|changelog(?:\.md)?|lint(?:er|ing)?|CI"
        r"|(?:unit |integration )?tests"
        r"|docs|documentation|docstrings?|comments|code ?base|repo(?:sitory)?|monorepo|rules|conventions?|releases?"
        r"|deploy(?:s|ing|ment)?"
        r"|in production|our (?:\w+ )?(?:app|package|service|api|project|library|team|code)|migrations?|dependenc(?:y"
        r"|ies)|imports|workspaces?|worktrees?|CLAUDE\.md|AGENTS\.md|README(?:\.md)?)\b",
    ),
    Cue(
        "craft",
        0.5,
        "commit branch pull pr_ prs_ main test depend package version docs changelog comment type lint format ci_ "
        "api schema migration endpoint module import database deploy build release config env file director "
        "folder repo function code python node npm pip docker linux windows macos secret cred mock log error "
        "exception 提交 分支 测试 代码 文件 接口 数据库 依赖 部署 テスト コミット ファイル コード commit fichier "
        "dateien archivo",
        r"\b(?:commits?|branch(?:es)?|pull requests?|PRs?|main|tests?|testing|dependenc(?:y|ies)|packages?"
        r"|versions?|docs?|documentation|changelog|comments?|types?|typed|lint(?:er|ing)?|format(?:ter|ting)?|CI"
        r"|APIs?|schemas?|migrations?|endpoints?|modules?|imports?|databases?|deploy(?:s|ed|ment)?|builds?"
        r"|releases?|configs?|configuration|env(?:ironment)?|files?|director(?:y|ies)|folders?|repo(?:sitory)?"
        r"|functions?|code|codebase|python|node|npm|pip|docker|linux|windows|macos|secrets?|credentials?|mock(?:s"
        r"|ing)?|logs?|logging|errors?|exceptions?|fichiers?|dateien?|archivos?)\b|提交|分支|测试|代码|文件|接口"
        r"|数据库|依赖|部署"
        r"|テスト|コミット|ファイル|コード",
    ),
)

# What speaks against it.
AGAINST = (
    Cue(
        "question",
        -2.6,
        "? \uff1f",
        r"[?\uff1f]\W{0,2}\s*$",
    ),
    Cue(
        "asking",
        -2.0,
        "",
        r"\b(?:can|could|would|will) you\b|\b(?:can|could|should|shall) (?:we|i)\b|\blet me know\b"
        r"|\bi want you to\b|\bi need you to\b"
        r"|\bi'?d like (?!to (?:avoid|keep|use|stick))",
    ),
    Cue(
        "task",
        -1.6,
        "",
        r"<lead>(?:check|look|show|tell|explain|summari[sz]e|give|print|review|investigate|find|see|read|run"
        r"|commit|push|merge|rebase|create|generate|implement|fix|address|open|try|continue|rename|update|compare"
        r"|list|add|remove|delete|move|change|put|set|refactor|clean|build|install|restart|revert|replace|convert"
        r"|extend|adjust|modify|apply|go|start|proceed|re-?(?:do|write|run|map|name|test|build|view|study|check|place"
        r"|move|work|use|organi[sz]e)|make (?!sure)|consider|switch|output|produce|think"
        r"|store|return|copy|extract|let'?s (?!not|keep|use|stick|go with"
        r"|avoid|always|never)|lets (?!not|keep|use|stick|go with|avoid|always|never)|now |write|record|walk|help"
        r"|do (?!not))\b"
        r"|\bshould also\b|^[^,]{3,40}, (?:please )?(?:add|create|make|update|remove|fix|write|change|implement) (?:a"
        r"|an|the|some)\b"
        r"|^(?:now|next|first|then|ok|and|so),? (?:\w+ )?(?:i|we) (?:want|need) |\bi (?:also )?(?:want"
        r"|need) (?:us )?to\b",
    ),
    Cue(
        "event",
        -1.4,
        "i_ i'm im_ you_",
        r"\bI (?:just |now |did |also |have |already |already have )*(?:got|get|see|saw|ran|run|think i|have (?:a"
        r"|the)|had|built|found|don'?t see|can'?t see|haven'?t|would have expected|wonder|am \w+ing|'m \w+ing"
        r"|(?!need|want|decid|mention|prefer|agree)\w+ed)\b|\bI'?m \w+ing\b|\bI never\b"
        r"|(?<!sure )(?<!that )\byou (?:always|never|still) \w+|\byou(?:'re| are)? (?:just |already "
        r"|still )?(?:(?!need)\w+ed|\w+ing|did|didn'?t"
        r"|made|have not|haven'?t|keep|changed|removed|forgot|broke|deleted)\b",
    ),
    Cue(
        "story",
        -1.0,
        "was were we've had created we_ i_know i_understand ive i've given came",
        r"\b(?:there (?:was|were)|was (?:added|created|removed|changed)|we'?ve|we (?:had|were|just|created|added|made"
        r"|have been)"
        r"|i know|i understand|i'?ve|given (?:this|that)|never came|i no longer|back to)\b|^(?:cause|fix|root cause"
        r"|example|step \d+|note) ?:",
    ),
    Cue(
        "hold",
        -1.5,
        "n't dont not no_ without",
        r"\b(?:do not|don'?t|without|no) (?:\w+ )?(?:mak\w+|chang\w+|writ\w+|implement\w*|edit\w*|modify\w*"
        r"|touch\w*|cod\w+|fix\w*|start\w*|do|commit|push|making)(?: (?:making|any|anything|code|changes|yet|the code"
        r"|any code|it|this"
        r"|that))+\b|(?:\bnot|n'?t) \w+ (?:[\w,]+ ){0,4}(?:yet|just)\b|(?:\bnot|n'?t)\b.{0,120}\byet[.!]*$",
    ),
    Cue(
        "guess",
        -0.3,
        "i_guess i_think i_feel i_believe",
        r"\bi (?:guess|think|feel|believe)\b",
    ),
    Cue(
        "hedge",
        -0.9,
        "",
        r"\b(?:maybe|perhaps|i wonder|wondering|not sure|seems?|might|probably|somehow|what if|why not|if you (?:need"
        r"|want|like|think)|could be"
        r"|looks? like|feels?|does that make sense|assumption|presumably|basically|unless i am|as far as i"
        r"|something (?:like|in)|suspect|likely|curious|kind ?of|any (?:suggestions|ideas)|alternatives"
        r"|if i remember)\b"
        r"|\b(?:right|or)\b,?\s*$",
    ),
    Cue(
        "failure",
        -1.2,
        "fail can't cant cannot couldn't error problem issue exit_code stack exception undefined work broken still "
        "wrong visible show missing "
        "crash gone change disappear messed bug mistake crap dumb stupid flawed isn't aren't",
        r"\b(?:the (?:problem|issue) (?:is|was)|fail(?:s|ed|ing|ure)?|errors?:|exit code|stack ?trace|undefined"
        r"|not working|doesn'?t work(?! (?:on"
        r"|with|in|for|when|if|without))|isn'?t working|is broken|still|wrong|not (?:visible|shown|showing"
        r"|displayed|updated|getting)|(?:is|are|does|do)n'?t (?:show|visible|display|getting|updat|chang|doing"
        r"|being|appear)\w*|missing|crash\w*|(?:is|are|completely) gone|nothing (?:changes?|happens)|disappear\w*"
        r"|messed up|mistakes?|crap|dumb|stupid|bugs?|flawed|(?:can'?t|cannot|couldn'?t) (?:click|see|open|access"
        r"|find|log ?in|save|delete"
        r"|select|scroll|type))\b",
    ),
    Cue(
        "passing",
        -0.8,
        "",
        r"\b(?:now(?! on\b| uses?\b| lives?\b| requires?\b| supports?\b)|again|next|for (?:now|the moment"
        r"|the time being)|today|yesterday|current(?:ly)?|initial|right now|in this case|this (?:folder|directory"
        r"|list|function|method|component|class|feature|pr|branch|commit|session|change"
        r"|time|prompt"
        r"|test|file|task|step|one|page|app|image|phase)|these changes|the changes|above|below|last commit|another"
        r"|one more|real quick|quickly|first i|(?<=, )(?:first|then) \w+|the (?:first|second|last|previous|following"
        r"|new) (?:\w+)|un?till? (?:you|further notice|i )"
        r"|(?:when|once|if) (?:you'?re|you are|it'?s) (?:done|finished|ready))\b",
    ),
    Cue(
        "empty",
        -1.5,
        "this that it_ it. again",
        r"\b(?:always|never|don'?t|not|stop) (?:ever )?(?:do|doing) (?:this|that|it|so)\b|\b(?:this|that|it) (?:never"
        r"|always) happens?\b|\b(?:this|that|it) (?:should|must|is|was)(?:n'?t| not)? (?:be )?(?:the case|so|like this"
        r"|like that|there|here)\b",
    ),
    Cue(
        "pointing",
        -0.7,
        "",
        r"^(?:and |but |so |also |no,? |yes,? |ok,? )*(?:this|that|it|these|those|they|he|she|1|2|3"
        r"|option)\b(?! (?:repo|project|package|library|service|codebase))",
    ),
    Cue(
        "screen",
        -1.1,
        "",
        r"\b(?:buttons?|icons?|fonts?|colou?r(?:s|ed|ing)?|padding|margins?|tool ?tips?|drop ?downs?|pop-?ups?"
        r"|modals?|logo|pixels?|px|shadows?|borders?|backgrounds?|charts?|graphs?|legend|axis|thumbnail|hover"
        r"|scroll\w*|cards?|columns?|cols?|rows?|widget|navbar|side ?bar|animation|images?|sprites?|bold"
        r"|tabs?(?!,? (?:not|over|instead)\b)"
        r"|screens?|menus?|labels?|captions?|headers?|footers?|banners?|layouts?|check ?box(?:es)?|sliders?|toggles?"
        r"|panels?|dialogs?|orange|blue|green|red|yellow|grey|gray|width|height|centered|aligned|clickable)\b",
    ),
    Cue(
        "feature",
        -0.6,
        "show user display visible appear hidden hide click select open able player enabled disabled sorted load "
        "customer option it_should it_must it_needs it_has it_will",
        r"\b(?:show(?:s|n|ing)?|display(?:s|ed|ing)?|visible|appears?|hidden|hides?|hiding|click(?:s|ed|able)?"
        r"|selected|selects?|highlighted|sorted|be opened|opens|be able to|loaded|enabled|disabled|options)\b"
        r"|\b(?:the|a|an|each|every) (?:users?|players?|customers?|visitors?|admins?)\b"
        r"|^users? (?:can|should|must|need|may)\b|\bit (?:should|must|will)\b",
    ),
    Cue(
        "the thing",
        -0.2,
        "@ (  the_ it_ this_ these_ those_ them",
        r"\bthe (?:page|plan|form|list|table|title|text|field|query|response|task|fix|script|game"
        r"|results?|message|circle|request|existing|original|other|latter|rest|same time)\b"
        r"|^\W*(?:(?:please|and|but|also|so) )*(?:do not|don'?t|never|always|use|keep|make sure)(?: \w+){1,2} (?:it"
        r"|this|these|those|them)\b"
        r"|@[\w/.-]+\.[a-z]{1,4}\b(?!c)|\(\d+-\d+\)",
    ),
    Cue(
        "heading",
        -1.2,
        ":",
        r"^\W{0,4}(?:constraints?|requirements?|(?:out of )?scope|goals?|non-goals?|acceptance(?: criteria)?|context"
        r"|objectives?|deliverables?|behaviou?r|expected|steps?(?: \d+)?|phase \d+|task \d*|output|rules?)\W{0,4}:",
    ),
    Cue(
        "own machine",
        -1.0,
        "/users/ /home/ c:\\ desktop downloads",
        r"/(?:Users|home)/\w|\b[A-Z]:\\|~/(?:Desktop|Downloads)",
    ),
    Cue(
        "cut off",
        -1.5,
        "",
        r"(?:\.\.\.|…|:|,)\s*$",
    ),
    Cue(
        "quoted",
        -0.9,
        "",
        r'"[^"]{3,}".*"[^"]{3,}"|->|→|=>'
        r"|(?<!\w)'[\w.]{2,40}'.{0,80}(?<!\w)'[\w.]{2,40}'|^[\u201c\"]",
    ),
    Cue(
        "praise",
        -1.2,
        "",
        r"^(?:great|nice|cool|perfect|good|awesome|thanks|all good|looks? good|i like|love)\b",
    ),
    Cue(
        "other request",
        -1.6,
        "请 帮我 吗 呢 能不能 可不可以 给我 我想 我要 这个 这里 现在 修改 先别 添加 增加 bitte kannst ich_möchte "
        "ich_will peux-tu je_veux puedes por_favor quiero",
        r"请|帮我|[吗呢]|能不能|可不可以|给我|我想|我要|^这[个里]|现在|修改(?!生成)|先别|添加|增加|\b(?:bitte"
        r"|kannst du|ich (?:möchte|will)|peux-tu|je veux(?!.{0,60}\bjamais\b)|puedes"
        r"|quiero que)\b",
    ),
)
