# What the command says in English. `zh.ftl` has the same keys with the same variables (a test keeps it so).

## Small things

label = { $name }:{" "}
list-comma = ,{" "}
list-semicolon = ;{" "}
full-stop = .
quote = “{ $text }”
none = none
unknown = unknown
nothing-yet = Nothing here yet.
also-called = {" "}(also { $names })
hint = hint
stopping = Stopping at the last checkpoint … press Ctrl-C again to force it.

## Agents, pieces, words of enumerations

agent-planner = Planner
agent-planner-agent = Planner
agent-worldview-agent = World
agent-character-agent = Characters
agent-outline-agent = Outline
agent-plot-agent = Plot
agent-style-agent = Style
agent-review-agent = Review
agent-meta-scheduler = Scheduler
agent-human-review = Human review
agent-worldview = World
agent-character = Characters
agent-outline = Outline
agent-plot = Plot
agent-style = Style
agent-review = Review
agent-creative = Writing
agent-analysis = Analysis
agent-text-review = Text review
agent-assistant = Assistant
agent-data-analysis = Statistics
agent-checker = Checker
agent-orchestrator = Orchestrator
agent-person = A person
agent-default = Every role
capability-worldview = world
capability-character = characters
capability-outline = outline
capability-plot = plot
capability-style = style
requirement-new-creation = a new story
requirement-extension = more of an existing story
requirement-modification = changes to an existing story
complexity-simple = simple
complexity-medium = medium
complexity-complex = complex
work-mode-generate = first time
work-mode-correct = correction
work-mode-regenerate = regeneration
correction-incremental = incremental: change only what is named
correction-incremental-fix = incremental: change only what is named
correction-regenerate = regenerate: start over
strategy-none = nothing
strategy-incremental-fix = mend what is named
strategy-regenerate = regenerate
strategy-human-review = ask a person
severity-critical = CRITICAL
severity-high = high
severity-medium = medium
severity-low = low
category-consistency = consistency
category-completeness = completeness
category-rationality = rationality
category-quality = quality
source-rule = rule
source-model = model
source-human = person
work-outline = outline
work-character = character
work-relation = relation
work-plot = plot
work-timeline = timeline
work-worldview = world
work-style = style
work-continuity = continuity
action-create = add
action-update = change
action-delete = remove
role-protagonist = protagonist
role-antagonist = antagonist
role-supporting = supporting
role-minor = minor
relation-knows = knows
relation-friend = friend
relation-enemy = enemy
relation-family = family
relation-lover = lover
relation-rival = rival
relation-ally = ally
relation-sibling = sibling
relation-parent-of = parent of
relation-child-of = child of
relation-mentor-of = mentor of
relation-student-of = student of
relation-employer-of = employer of
relation-employee-of = employee of
predicate-is-at = is at
predicate-within = within
predicate-holds = holds
predicate-held-by = held by
predicate-gets = gets
predicate-loses = loses
predicate-gives = gives
predicate-uses = uses
predicate-knows = knows
predicate-learns = learns
predicate-takes-for-true = takes for true
predicate-dies = dies
predicate-died-in = died in
predicate-birth = birth
predicate-birthplace = birthplace
predicate-lives-in = lives in
predicate-age = age
predicate-height = height
predicate-length = length
predicate-weight = weight
predicate-price = price
predicate-occupation = occupation
predicate-trait = trait
predicate-member-of = member of
predicate-has-member = has member
predicate-married-to = married to
predicate-sibling-of = sibling of
predicate-friend-of = friend of
predicate-enemy-of = enemy of
predicate-family-of = family of
predicate-lover-of = lover of
predicate-ally-of = ally of
predicate-rival-of = rival of
predicate-acquainted-with = acquainted with
predicate-mentor-of = mentor of
predicate-employer-of = employer of
predicate-parent-of = parent of
predicate-child-of = child of
predicate-kills = kills
predicate-killed-by = killed by
predicate-visited = visited
predicate-takes-part = takes part in
predicate-eye-colour = eye colour
predicate-hair-colour = hair colour
predicate-blood-type = blood type
predicate-student-of = student of
predicate-employee-of = employee of
predicate-betrays = betrays
predicate-betrayed-by = betrayed by
predicate-destroyed = destroyed
predicate-destroys = destroys
predicate-repaired = repaired
predicate-repairs = repairs
predicate-amount = amount
predicate-gains = gains
predicate-spends = spends
predicate-forgets = forgets
predicate-mentions = mentions
predicate-acts-on = acts on
predicate-believes = believes
predicate-denies = denies
predicate-revives = revives
predicate-species = species
predicate-birth-mother = birth mother
predicate-birth-father = birth father
predicate-handedness = handedness
predicate-width = width
predicate-depth = depth
predicate-capacity = capacity
predicate-population = population
predicate-distance = distance
predicate-duration = duration
predicate-rank = rank
predicate-siblings = siblings
predicate-children = children
predicate-falls-to = falls to
predicate-is-sealed = is sealed
predicate-leaps-to = leaps to
predicate-defeats = defeats
predicate-weakened = weakened
predicate-wins-by = wins by
predicate-leaves = leaves
predicate-participated-in = takes part in
predicate-happened-at = happened at
predicate-told-in = told in
mode-narrated = narrated
mode-flashback = flashback
mode-dreamt = dreamt
mode-said = said
mode-believed = believed
mode-planned = planned
plot-kind-setup = Setup
plot-kind-conflict = Conflict
plot-kind-turn = Turn
plot-kind-climax = Climax
plot-kind-resolution = Resolution
view-first = first person
view-third-limited = third person, limited
view-third-omniscient = third person, omniscient
language-zh = Chinese
language-en = English
status-running = running
status-waiting = waiting for you
status-done = done
status-failed = failed
status-interrupted = stopped
layer-default = built in
layer-user = your settings file
layer-project = the project's settings file
layer-environment = environment
layer-flag = this command
piece-outline-node = outline
piece-character = character
piece-relation = relation
piece-event = event
piece-plot-node = plot
piece-worldview = world
piece-style = style
piece-location = place
piece-organisation = organisation
piece-item = thing
piece-world-rule = world rule
piece-ladder = ladder
review-reason-max-iterations = The review still fails, and no correction rounds are left.
review-reason-stalled = The last correction hardly made it better, so going on would waste tokens.
review-reason-low-score = The score is too low for a correction to help.
review-reason-unmet-wish = A requirement is not met, and the agents cannot fix that.
review-reason-strategy = The reviewer asks for a person's judgement.
review-reason-unknown-agent = The report asks for work that no agent does.

## The beginning of a run

run-started = Requirement
run-resumed = Resuming
run-answered-by = Answered by
model-label = Model
offline-badge = [OFFLINE ASSISTANT]
offline-what = Not a language model: it works by rules from your own words, leaves [to be written] where nothing is known, writes no prose and costs nothing.
why-configured = set in: { $layer }
why-key-set = { $variable } is set
why-key-kept = the key of { $provider } is saved
why-local-server = a server answers at { $url }
why-nothing-else = no key and no local server found; `qingyu models` shows how to use a language model

## The plan

plan-title = Plan
plan-fallback = This is the default plan: { $reason }
plan-adjusted = The plan was changed: { $reason }
plan-kind = Asked for
plan-complexity = Complexity
plan-capabilities = Takes
plan-step = Step
plan-agent = Agent
plan-task = Task
plan-depends = Needs
plan-parallel = Beside
plan-tokens = Est. tokens
plan-total = { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
} by the plan's own guess; critical path { $path }
plan-estimate = Estimated without corrections

## At work

agent-started = { $agent } ({ $mode }):{" "}
agent-tokens = { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}
call-reused = the answer of { $model } was reused from an earlier attempt, at no cost
call-repaired = the answer of { $model } had a wrong form (its JSON, or fields that it must not have) and was put right; nothing was added
call-substituted = { $model } answered instead of { $wanted }: { $error }
call-attempts = { $model } needed { $attempts ->
    [one] 1 attempt
   *[other] { $attempts } attempts
} to give a valid answer

## The report and corrections

report-title = Diagnostic report
report-title-numbered = Diagnostic report { $number }
report-earlier = { $count } { $count ->
        [one] piece has
       *[other] pieces have
    } changed since this report; it is about the story before.
report-passed = passed
report-passed-held = passed, but for what you must decide
report-not-passed = not passed
report-wishes = Asked for
report-wishes-none = no single points to tick off; please read it and judge the whole
wish-state-met = met
wish-state-unmet = not met
wish-state-not-checkable = for a reader to judge
report-strategy = Next
report-approved = accepted by you, although it did not pass
basis-nothing = There is nothing to check, so there is no score.
basis-checked = Rests on { $looked } of { $run ->
    [one] 1 rule
   *[other] { $run } rules
}; { $judge }
basis-blind = { $count } { $count ->
    [one] rule had
   *[other] rules had
  } nothing to look at: { $missing }
basis-blind-kind = no { $kind } ({ $count })
basis-off = { $count } { $count ->
    [one] rule is
   *[other] rules are
  } switched off in the settings
basis-step-failed = step { $step } ({ $agent }) was not completed: { $reason }
basis-earlier-model = Findings marked “model” come from a model's reading of the chapter; no model was asked this time.
judge-rules = judged by rules alone
judge-model = judged by a model as well
reading-chapters = A model has read the current text of { $read } of { $total } { $total ->
    [one] chapter
   *[other] chapters
  }
reading-unread = not read yet: { $chapters }
reading-rules-only = read by the rules only: { $chapters }
reading-changed = changed since a model read them: { $chapters }
chapters-unread = no model has read the current text of: { $chapters }
edit-unread = No model has read this text, and rules miss contradictions of meaning. Have it read: qingyu read { $project }
reading-none = A model has read the current text of every chapter.
reading-how = have a model read them: qingyu read { $project }
report-no-issues = No issues.
report-issues = { $total ->
    [one] 1 issue
   *[other] { $total } issues
} ({ $severities }; found by: { $sources })
report-fix = fix → { $agent }, { $action }:{" "}
report-cause = Cause
report-impact = Impact
report-affected = Touches
evidence-text = { $title }, paragraph { $paragraph }
report-more-evidence = { $count } more: `qingyu show PROJECT report`
report-reasoning = How the review came to it
report-suggestions = Beyond the issues
correction-title = Correction round { $round }
correction-mode = Mode
correction-agents = Agents, in order

## The end

ending-done = Done.
ending-waiting = Waiting for you.
ending-interrupted = Stopped. Everything finished so far is kept.
ending-failed = Failed. Everything finished so far is kept.
ending-project = Project
ending-run = Run
ending-rounds = Correction rounds
ending-time = Time
ending-kept = Kept in
made-count = { $count } — { $names }
made-outline = Outline
made-characters = Characters
made-relations = Relations
made-timeline = Events
made-plot = Plot
made-world = Places
usage-tokens = { $input } in, { $output } out
usage-tokens-cached = { $input } in ({ $cached } cached), { $output } out
usage-tokens-label = Tokens
usage-calls = { $calls ->
    [one] 1 call
   *[other] { $calls } calls
}
usage-cost-label = Cost
usage-by-agent-label = By agent
cost-unknown = unknown: this model has no price in the list
cost-free = free
decision-title = You must decide
next-title = Next
next-show = look at the project
next-outline = the outline as a tree
next-extend = extend this story
next-findings = { $count ->
    [one] 1 issue of high severity is open
   *[other] { $count } issues of high severity are open
}: { $names }
next-check-findings = what the rules found, and how to mend it
next-fix-findings = mend what has one certain fix
next-mend = say how to mend the rest
next-write-mended = write the chapters once the issues are settled
next-direction = choose a direction; “1 conflict=2” combines two
next-no-direction = plan from your own words alone
next-other-directions = describe what you would rather see, and get new directions
next-approve = take it as it is
next-reject = send it back with your words
next-edit = put your own material in its place
next-resume = resume where it stopped; nothing is paid for twice

## A person is asked

ask-approve = take it as it is
ask-reject = send it back, and say what is wrong
ask-edit = edit the material in your editor
ask-later = decide later
ask-prompt = a / r / e / q >
ask-direction = Which direction?
ask-direction-how = Enter a number to choose one. “1 conflict=2 title=3” combines several; add notes after it. Enter s to plan from your own words, nothing to decide later, or anything else to describe the directions you would rather see.
ask-direction-again = There is no direction with that number.
directions-title = Directions this book could take
ask-feedback = What is wrong, and what do you want instead? >
ask-unchanged = Nothing was changed.
ask-again = Please type a, r, e or q.

## Views

outline-title = Outline ({ $count ->
    [one] 1 node
   *[other] { $count } nodes
})
outline-words = { $count ->
    [one] 1 word
   *[other] { $count } words
}
outline-chapters = { $count ->
    [one] 1 chapter
   *[other] { $count } chapters
} planned
outline-function = Function
outline-hook = Hook
outline-opening = Opening hook
outline-pressure = Pressure
outline-pulls = Pulls on
outline-tension = Tension
outline-opposition = Against
outline-price = Price
outline-payoff = Payoff
outline-goal = Goal
outline-participants = With
outline-location = At
outline-plants = Plants
outline-pays = Pays
characters-title = Characters ({ $count })
character-age = aged { $age }
character-birth = Born
character-death = Died
character-alias = Also called
character-traits = Traits
character-appearance = Looks
character-personality = Personality
character-background = Background
character-goals = Goals
character-conflicts = Obstacles
character-weakness = Weakness
character-arc = Arc
character-secret = Secret
character-secret-until = Not revealed before
character-voice = Voice
relations-title = Relations ({ $count })
relation-kinds = Your own kinds
relation-kind-symmetric = { $name } (both ways)
relation-kind-inverse = { $name } (the other way: { $inverse })
relations-reading = Read a row as: this character is … the one in the column.
relation-since = From
relation-until = Until
timeline-title = Timeline ({ $count ->
    [one] 1 event
   *[other] { $count } events
})
event-mode = ({ $mode })
event-deaths = Deaths
event-open-time = “{ $document }” tells another time ({ $told }) than planned ({ $planned }); yours to decide; `qingyu check` says how (QY316)
event-open-place = “{ $document }” tells another place ({ $told }) than planned ({ $planned }); yours to decide; `qingyu check` says how (QY316)
event-open-participants = “{ $document }” tells it without { $told }, who was planned; yours to decide; `qingyu check` says how (QY316)
event-open-deaths = in “{ $document }” { $told } does not die, as was planned; yours to decide; `qingyu check` says how (QY316)
event-after = After
event-told = Told in
event-told-as-planned = As planned, which the text need not follow; told in
event-planned = Planned for
plot-title = Plot ({ $count ->
    [one] 1 node
   *[other] { $count } nodes
})
plot-node-outline = In
plot-node-causes = Caused by
plot-node-events = Events
world-title = World
world-genre = Genre
world-era = Time
world-truth = The truth
world-truth-until = Not revealed before
world-rules = Rules
world-locations = Places
world-organisations = Organisations
world-items = Things
ladders-title = Ladders
ladder-of-numbers = counted in numbers
ladder-condition = Needs
ladder-cost = Costs
ladder-lifetime = Lifetime
ladder-may-skip = steps may be skipped
ladder-upset-limit = a win from { $count } or more steps below needs a reason
panel-rows-ladder = Ladders
panel-rows-attribute = Attributes
panel-rows-resource = Resources
panel-rows-skill = Skills
panels-none = No character has known numbers or steps yet. They are read from the chapters (`qingyu edit`, `write`, `reconcile`) and from facts that you enter.
card-told = told by the chapters
item-holder = held at the beginning by
item-holder-now = now held by
item-holder-past = held in the past by
style-title = Style guide
style-view = Point of view
style-tense = Tense
style-tone = Tone
style-rhythm = Rhythm
style-dialogue = Dialogue
style-guidelines = Do
style-taboos = Never
reasoning-title = Reasoning of the last run
provenance-title = Where each piece comes from
provenance-prompt = prompt { $prompt }
overview-language = Language
overview-updated = Last changed
overview-runs = Runs
overview-genre = Genre asked for
overview-audience = Readers asked for
overview-chapters = Chapters asked for
overview-views = Views: outline, characters, relations, timeline, world, plot, style, report, reasoning, provenance. For example:

## Lists

column-run = Run
column-title = Title
column-status = State
column-unread = Unread
column-score = Score
column-tokens = Tokens
column-started = Started
column-project = Project
column-language = Language
column-premise = Premise
column-updated = Changed
column-code = Code
column-severity = Severity
column-rule = What it finds
runs-none-such = No runs match.
runs-more = There are more runs: add --after { $run }
runs-none = No runs yet. Begin with: qingyu create "A lighthouse keeper receives a letter he posted thirty years ago"
guide-title = From a model to the first chapter
guide-step-model = A model that writes
guide-step-direction = A direction for the book
guide-step-material = Its material: world, outline, cast, plot
guide-step-chapter = Its first chapter
guide-model = { $model } works.
guide-offline = The offline model works: it plans by rules and writes no prose. That is enough to look around; chapters need a model.
guide-book = The book: “{ $title }” ({ $project })
guide-done = Your first chapter is written. Run qingyu write to continue with the next one.
guide-example = A lighthouse keeper receives a letter he posted thirty years ago
guide-next-key = save a provider's key; qingyu models lists the providers
guide-next-offline = or skip that, and plan with the offline model
guide-next-direction = get three directions to choose from, for your own idea
guide-next-resume = resume the run that is waiting or stopped
guide-next-material = create the material
guide-next-chapter = write chapter 1
projects-none-archived = The archive is empty.
projects-none-binned = The bin is empty.
project-renamed = { $project } is now called “{ $title }”
project-archived = “{ $title }” ({ $project }) was archived; to restore it: qingyu project restore { $project }
project-binned = “{ $title }” ({ $project }) was moved to the bin; to restore it: qingyu project restore { $project }
project-restored = “{ $title }” ({ $project }) was restored
project-deleted = “{ $title }” ({ $project }) was permanently deleted
cover-is = Cover picture: { $kind }, { $kilobytes } kB
cover-none = There is no cover picture; readers see the title.
card-picture-is = Picture of { $name }: { $kind }, { $kilobytes } kB
card-picture-none = { $name } has no picture.
card-picture-undescribed = No description yet; add one with --alt for readers who do not see the picture.
pictures-none = No card has a picture. To add one: qingyu picture <project> <name> <file>
projects-none = No projects yet. Begin with: qingyu create "A lighthouse keeper receives a letter he posted thirty years ago"
model-models = Models
model-address = Address
model-roles = Roles
model-ready = ready
model-answers = answers
model-silent = no answer on this machine
model-no-key = add its key with `qingyu models key { $provider }`, or set { $variable }
model-has-kept-key = its key is saved
model-retires = { $model } will be retired on { $day }: choose another, or a preference such as `usual`, which updates itself
model-listed = { $count ->
    [one] one model
   *[other] { $count } models
} for your key
model-no-keys = No provider has a key yet. Add one with: qingyu models key PROVIDER
model-key-ask = The key of { $provider } (it is not shown):
model-key-kept = The key of { $provider } is saved in the data folder, readable only by you, and in use from now on. Try it: qingyu models try { $provider }/usual
model-key-environment = The key of { $provider } comes from its environment variable, which overrides a saved key.
model-key-gone = The saved key of { $provider } was deleted.
model-works = { $model } works
model-works-not = { $model } does not work with the current settings
trial-text = In words
trial-json = As JSON
trial-took = ({ $seconds } s, { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
})
model-has-key = { $variable } is set
models-how = Choose with `--model PROVIDER/MODEL`, QINGYU_MODEL, or models.default in the settings file.
settings-file = Settings file
settings-unset = Not set
setting-form-switch = true or false
setting-form-whole-number = whole number
setting-form-number = number
setting-form-text = text
setting-form-texts = list of texts
setting-choices = list of { $choices }
setting-form-whole-numbers = list of whole numbers
setting-form-table = table
setting-most = at most { $most }
report-written = Written to { $path } ({ $size }).
report-read = It contains no keys, texts, titles or paths. Read it before you send it.
rule-fires = Reported:
rule-spares = Not reported:
rule-story = `--json` prints the stories of the examples.
rule-off = off
rules-how = `qingyu rules CODE` explains one.
genres-how = `qingyu genres NAME` shows one; --file prints it, to save as genres/NAME.toml in the home and change. A book has the genres that its world names.
genre-own = yours
genre-names = Named by
genre-lengths = Usual length
genre-lengths-are = { $chapters ->
    [one] 1 chapter
   *[other] { $chapters } chapters
} of { $words ->
    [one] 1 word
   *[other] { $words } words
}
genre-payoff = A promise kept
genre-payoff-is = { $count ->
    [one] every chapter
   *[other] every { $count } chapters
}
genre-hooks = Hooks
genre-payoffs = Payoffs
genre-avoid = Avoid
genre-tension = Tension
genre-sequence = In a row
genre-sequence-is = reported after { $function ->
    [one] 1 chapter
   *[other] { $function } chapters
} in a row with the same function, { $ending } with the same kind of ending, { $tension } with the same tension; { $pulls }
genre-endings-pull = every ending needs a hook
genre-endings-may-rest = endings may be quiet
genre-tired = Worn out
genre-ladder = Ranks and numbers
genre-audit = Questions to a chapter
column-id = id
column-genre = genre
column-promise = what readers are promised
graph-about-pipeline = from one sentence to a story: plan, agents, review, corrections, a person
graphs-how = `qingyu graph NAME` draws one.
graph-written = The graph was written to { $path }.
graph-line-edge = always
graph-line-join = once all have run
graph-line-route = chosen by a rule
graph-line-command = chosen by the node
graph-line-error = after a failure
graph-line-deferred = runs last
check-data-folder = Data folder
check-free-space = Free space
check-sqlite-version = SQLite
check-database = Database
check-integrity = Integrity
check-backups = Scheduled backups
check-keys = Keys
check-local-servers = Local model servers
check-model = Model
check-embedder = Embedder
check-engine = Server of a team
check-engine-copy = Copies on a server
check-clock = Clock
check-settings = Settings
check-prompts = Prompts
found-data-folder = { $path }
found-free-space = { $bytes }
found-sqlite-version = { $version }
found-database = { $path } ({ $bytes })
found-integrity = no damage found
found-backups = { $schedule ->
    [yes] every { $every }, the newest { $keep } kept in { $path }; { $count ->
        [0] none yet
        [one] one there, of { $newest }
       *[other] { $count } there, the newest of { $newest }
    }; next: { $next }
    [server] none here: the data is in PostgreSQL; back it up with its own tools, such as pg_dump
   *[no] none; set backups.every, such as "1d"
}
found-keys = set: { $variables }
found-local-servers = answering: { $servers }
found-model = { $model }{ $tried ->
    [answered] {" "}(it answers)
    [no] {" "}(not tried)
   *[other] {""}
}
found-embedder = { $embedder }{ $tried ->
    [no] {" "}(not tried)
   *[other] {" "}({ $dimensions ->
    [one] 1 dimension
   *[other] { $dimensions } dimensions
})
}{ $embedder ->
    [lexical-hash-1024] , which knows letters only. To search by meaning: ollama pull bge-m3 (MIT licence), and embeddings.embedder = "ollama/bge-m3"
   *[other] {""}
}
found-engine = { $part ->
    [keywords] Keyword search
    [vectors] Vector search
    [graph] Graph
    [long_term] Long-term memory
   *[short_term] Session memory
}: { $server }{ $tried ->
    [no] {" "}(not tried)
    [failed] {" "}(not usable: { $reason })
   *[other] {" "}(it answers)
}
found-engine-copy = { $part ->
    [keywords] Keyword search
    [vectors] Vector search
   *[graph] Graph
}: { $server } has no current copy of { $projects ->
    [one] one project
   *[other] { $projects } projects
}; the embedder is { $embedder }
found-clock = { $now }
found-settings = { $path }{ $exists ->
    [true] {""}
   *[other] {" "}(no such file; the built-in settings apply)
}
found-prompts = { $path }{ $exists ->
    [true] {""}
   *[other] {" "}(no such folder; the built-in prompts apply)
}
advice-data-folder = make the folder writable, or name another with --home or QINGYU_HOME
advice-free-space = free some space, or name another folder with --home
advice-sqlite-version = install a current release of qingyu
advice-database = restore the file from a backup, or move it away to start over
advice-integrity = restore the database from a backup before you continue
advice-backups = { $trouble ->
    [failed] the last try failed: { $reason }; it is repeated every ten minutes while a server is at work
    [none] there is no scheduled backup yet: keep `qingyu serve` or the studio running
    [server] backups.every does nothing for PostgreSQL: remove it, and schedule pg_dump instead
   *[overdue] keep `qingyu serve` or the studio running, or make a backup with `qingyu backup make FILE`
}
advice-keys = add your provider's key with `qingyu models key PROVIDER`; `qingyu models` lists the providers
untried-free-space = free space is not checked on this system
untried-keys = a key is known to be valid once a server has accepted it
untried-model = `qingyu doctor` without --local asks its server
advice-local-servers = start Ollama, llama.cpp, LM Studio or vLLM if you want a local model
advice-model = the offline assistant is used until there is a key or a local server
advice-embedder = set `embeddings.embedder`; "lexical" needs nothing
advice-engine = start the server, or correct `engines` in the settings; the embedded part answers meanwhile
advice-engine-copy = `qingyu serve` fills it in the background, `qingyu index PROJECT` at once; the embedded part answers meanwhile
untried-engine = `qingyu doctor` without --local asks the server
advice-clock = set the clock of this machine
advice-settings = fix the settings file; `qingyu config path` says where it is
advice-prompts = fix or remove your own prompt files

## Failures

error-requirement-empty = the requirement is empty
hint-requirement-empty = say in a sentence what to write: qingyu create "A locked-room mystery on a generation ship"
error-requirement-too-long = the requirement has { $bytes }; the limit is { $limit ->
    [one] 1 byte
   *[other] { $limit } bytes
}
hint-requirement-too-long = summarise the idea, and import long material as a project; a new story takes a Markdown outline of up to 1 MB, if its cast and chapters are tables or lists
error-requirement-control = the requirement contains a control character (code { $code_point }) at character { $position }
hint-requirement-control = give plain text; this looks like binary data
error-unknown-project = there is no project { $given }
hint-unknown-project = `qingyu projects` lists them
error-unknown-run = there is no run { $given }
hint-unknown-run = `qingyu runs` lists them
error-ambiguous = { $given } matches several: { $matches }
hint-ambiguous = type more of it
error-nothing-to-resume = run { $run } is done; there is nothing to resume
hint-nothing-to-resume = to extend its story: qingyu create --project { $project } "…"
error-not-waiting = run { $run } is not waiting for an answer
hint-not-waiting = resume it without an answer: qingyu resume { $run }
error-question-changed = run { $run } now asks a different question; the answer was not used
hint-question-changed = see what it asks: qingyu resume { $run }
error-bad-material = the material is invalid at { $path }: { $message }
hint-bad-material = start from the document of `qingyu show { $project } --json`
error-thread-busy = another process is working on run { $run }
hint-thread-busy = wait until it is done; a crashed process releases its run within ten seconds
error-bad-settings = a setting is invalid: { $key } { $message } ({ $origin })
hint-bad-settings = `qingyu config path` says where the settings file is
hint-bad-settings-flag = give another value with --set, or leave it out
hint-bad-settings-environment = set the variable to another value, or unset it
origin-flag = given with this command
origin-run = given when run { $run } was started
error-unknown-model = there is no model { $model }
hint-unknown-model = name it as PROVIDER/MODEL; providers: { $providers }
error-no-key = { $model } needs a key
hint-no-key = add it with `qingyu models key { $provider }`, set { $variable }, or choose another model with --model; --model offline-rules-1 needs none
error-budget = the budget is used up: { $message }
hint-budget = raise it in the settings, then resume the run
error-budget-figures = the budget { $setting } does not cover the next call: { $spent } of { $limit } { $unit } spent, { $set_aside } reserved, about { $asked } needed for the next call
placeholder-project = PROJECT
placeholder-run = RUN
hint-budget-figures = all paid work is kept; continue with `qingyu resume { $run } --set { $setting }={ $suggested }`
error-no-cassette = run { $run } was not recorded, or its recording was too old and was deleted
hint-no-cassette = runs are recorded while cassettes.record is true in the settings
error-bad-cassette = { $path } cannot be replayed: { $message }
error-bad-model-file = { $path } cannot be served: { $message }
hint-bad-model-file = name an existing GGUF file, such as --model file:/models/writer.gguf
error-no-model-server = { $program } is not installed, or not on the PATH
hint-no-model-server = it comes with llama.cpp (brew install llama.cpp, winget install llama.cpp, or your distribution's package); Ollama, LM Studio and vLLM are found without a file
error-not-recorded = nothing is recorded for { $purpose }: { $difference }
hint-not-recorded = use `--model` to ask a model for what was not recorded
error-provider-refused = { $model } rejected the key ({ $status }): { $message }
hint-provider-refused = check the key and its permissions
error-model-not-served = { $provider } has no model { $model } for this key{ $listed ->
    [no] {"."} It does not list its models.
   *[yes] ; it has { $models }
}
error-provider-address = no model answers at { $address }{ $status ->
    [none] {""}
   *[other] {" "}({ $status })
}: { $message }
hint-provider-address = check base_url of the provider in the settings; most end with /v1. `qingyu models try` shows what is there
error-content-refused = the content filter of { $model } refused the request{ $says ->
    [no] {"."}
   *[yes] : { $message }
}
hint-content-refused = change the passage in question, or choose another model
error-empty-answer = { $model } returned nothing{ $thought ->
    [yes] {" "}but its reasoning
   *[no] {""}
}, twice
hint-empty-answer = raise limits.answer_tokens if it is set, or choose another model or a fallback
error-answer-cut = the answer was cut off after { $characters ->
    [one] 1 character
   *[other] { $characters } characters
}
hint-answer-cut = check the network and any proxy, then resume the run
hint-model-not-served = choose one of its models in the settings or with --model
error-no-credit = the account for { $model } has no credit left: { $message }
hint-no-credit = top up the account at the provider or choose another model, then resume the run
error-provider-busy = { $model } is busy: { $message }
hint-provider-busy = wait, then resume the run
error-provider = { $model } failed: { $message }
hint-provider = resume the run later, or with another model
error-prompt-too-long = the prompt does not fit into the context of { $model }: { $message }
hint-prompt-too-long = use a model with a larger context, or add --no-workspace-context to show the agents less; a local server can be given a larger context
error-provider-unreachable = { $model } cannot be reached: { $message }
hint-provider-unreachable = check the network and the address, then resume the run
error-bad-output = the model's answer for { $purpose } was still invalid after { $attempts ->
    [one] 1 attempt
   *[other] { $attempts } attempts
}: { $problems }
hint-bad-output = a stronger model may help: --model
error-unsupported = { $model } cannot do { $purpose }: { $hint }
hint-unsupported = choose a language model; `qingyu models` shows how
error-disk-full = no space is left for { $path }
hint-disk-full = free some space, then resume the run
error-read-only = { $path } cannot be written: { $message }
hint-read-only = make it writable, or name another folder with --home
error-corrupt = { $path } is damaged: { $message }
hint-corrupt = restore it from a backup, or move it away to start over
error-request-at-work = the request is already being processed
hint-request-at-work = retry in a moment to get its answer
error-request-interrupted = the request was processed in full or in part before its server crashed; its results are in { $project }
hint-request-interrupted = see `qingyu log { $project }`; request what is missing with a new idempotency key
error-overloaded = the server already has { $most } active runs, its limit
hint-overloaded = try again in { $retry_after ->
    [one] 1 second
   *[other] { $retry_after } seconds
}, or raise the limit: server.runs
error-stopping = the server is shutting down
hint-stopping = try again in { $retry_after ->
    [one] 1 second
   *[other] { $retry_after } seconds
}
error-database-busy = the database { $path } is busy: another process has been writing to it for too long
hint-database-busy = try again in a moment
error-newer-data = { $path } was written by a newer release
hint-newer-data = use that release
error-storage = the database { $path } failed: { $message }
hint-storage = `qingyu doctor` looks for the cause
error-run-stalled = run { $run } crashed its worker { $times ->
    [one] 1 time
   *[other] { $times } times
} without making progress
hint-run-stalled = its results are kept; to retry: qingyu resume { $run }
error-graph-changed = run { $run } was started by another release and cannot be resumed by this one: { $message }
hint-graph-changed = its material is kept; to continue from it: qingyu create --project { $project } "…"
error-pipeline = { $node } failed: { $message }
hint-pipeline = resume the run; what was finished is kept
error-parts-failed = { $failed } of { $total } { $total ->
    [one] part
   *[other] parts
  } failed: { $message }
hint-parts-failed = what was done is kept; `qingyu resume { $run }` retries what failed
error-internal = this is a bug: { $message }
hint-internal = please report it with the log of `-vv`
error-unreadable = { $path } cannot be read: { $message }
error-not-text = { $path } is not text in any encoding that was tried
hint-not-text = save it as UTF-8
error-no-manuscripts = { $path } contains no manuscripts
hint-no-manuscripts = manuscripts end in .txt, .md, .docx, .odt, .rtf, .epub or .html; the folder of a project contains a .scrivx or nwProject.nwx file
error-nothing-to-judge = --judge needs one chapter of a project; { $subject } is not one
hint-nothing-to-judge = name the chapter; to make a file a project: qingyu import
error-bad-setting = { $given } is not KEY=VALUE
hint-bad-setting = for example --set pipeline.max_iterations=2
error-bad-autonomy = { $given } is not PHASE=auto or PHASE=wait
hint-bad-autonomy = for example --autonomy research=auto,all=wait
error-not-json = the value given for { $path } is not JSON: { $message }
hint-not-json = see its schema and its value: qingyu produce read { $project } { $path } --json
error-unknown-genre = there is no genre { $given }
hint-unknown-genre = `qingyu genres` lists them
error-unknown-rule = there is no rule { $given }
hint-unknown-rule = `qingyu rules` lists them
hint-unknown-rule-known = these exist: { $known }; `qingyu rules` tells what they report
error-unknown-agent = there is no agent { $given }
hint-unknown-agent = these exist: { $known }
error-unknown-graph = there is no graph { $given }
hint-unknown-graph = these exist: { $known }
error-unwritable = { $path } cannot be written: { $message }
error-editor = the editor { $editor } failed: { $message }
hint-editor = set EDITOR
error-no-server-key = Other machines can reach { $address }, but there is no key yet.
error-no-tls = Other machines can reach { $address }, and keys would be sent unencrypted.
error-bad-webhooks = The setting server.webhooks cannot be used: { $message }
error-bad-traces = Traces cannot be sent: { $message }
error-bad-address = Cannot listen at { $address }: { $message }
hint-no-server-key = Create one first: qingyu keys make
hint-no-tls = Put a proxy that terminates TLS in front of it (see docs/deploy.md), and set server.behind_tls = true.
hint-bad-address = Use another port: --port N, or --port 0 for any that is free.
serve-ready = Qingyu is running at { $url }
serve-not-opened = No browser could be opened; open the address yourself.
serve-stop = Press Ctrl-C to stop; unfinished runs resume at the next start.
serve-stopping = Stopping at the next checkpoints; press Ctrl-C again to quit at once.
error-signals = the system does not let the command handle Ctrl-C: { $message }
error-output = standard output cannot be written: { $message }
hint-usage = `--help` explains the command

## Wrong arguments

usage-invalid-value = { $argument } cannot be “{ $value }” (possible: { $valid })
usage-value-validation = { $argument } cannot be “{ $value }”
usage-unknown-argument = there is no argument { $argument }
usage-invalid-subcommand = there is no command { $command }
usage-argument-conflict = { $argument } and { $other } cannot be used together
usage-missing-required-argument = missing: { $argument }
usage-missing-subcommand = a command is missing
usage-too-few-values = { $argument } needs a value
usage-too-many-values = { $argument } takes no value “{ $value }”
usage-invalid-utf8 = an argument is not UTF-8
usage-did-you-mean = did you mean { $near }?
error-unknown-finding = there is no finding { $given }
hint-unknown-finding = `qingyu check { $project }` shows the ids
hint-unknown-finding-known = these are open: { $known }; `qingyu check { $project }` shows them
error-no-reason = waiving { $finding } needs a reason
hint-no-reason = --reason "why it is acceptable"
error-unknown-comment = there is no comment { $given }
hint-unknown-comment = `qingyu comments list { $project } --all` shows the ids
error-unknown-member = the project has no member { $given }
hint-unknown-member = list them with: qingyu members list { $project }
error-bad-comment = { $reason ->
    [empty] the comment is empty
    [too_long] the comment is longer than 10,000 characters
    [no_words] no words are given to comment on
    [quote_too_long] more than 2,000 characters are quoted
    [closed] the comment is resolved already
    [no_suggestion] the comment suggests no other words
    [missing] the words “{ $quote }” are not in the chapter
   *[ambiguous] the words “{ $quote }” are in the chapter { $count ->
    [one] 1 time
   *[other] { $count } times
}
}
hint-bad-comment = { $reason ->
    [ambiguous] quote more words, or give --before or --after
    [missing] quote the words exactly as they are in the chapter
   *[other] qingyu comments add { $project } CHAPTER "the words" "the remark"
}
error-unknown-piece = { $given } is not a piece of the story, or matches more than one
hint-unknown-piece = give its id: `qingyu show { $project } provenance` lists them
error-unclear = { $part ->
    [about] nothing in the story is called “{ $given }”
    [predicate] no fact of the story has the predicate “{ $given }”
    [as_of] “{ $given }” is not an event, time, chapter or text of the story
   *[other] { $message }
}
hint-unclear = { $part ->
    [as_of] a chapter as chapter:2, “chapter 2”, 第2章 or by its title; an event by its title or id; a time as the story writes it
    [predicate] a predicate is a word such as location or 持有; `qingyu ask-facts { $project }` shows those of the story
   *[other] `qingyu ask-facts { $project }` shows what the story says
}
error-unknown-change = { $project } has no change { $change }; the newest is { $newest }
hint-unknown-change = `qingyu log { $project }` lists them
error-changed-since = change { $change } cannot be undone: change { $by } has changed { $piece } since
hint-changed-since = undo that one first: qingyu undo { $project } { $by }
error-conflict = { $project } was changed in the meantime
hint-conflict = review it, then repeat the command
error-fix-of-file = a file cannot be fixed in place: { $path }
hint-fix-of-file = import it as a project first: qingyu import-story { $path }
finding-id = Id
finding-disputed = You decide: waive it (`qingyu waive`), or mend it in the text. The writer holds it to be wrong: { $why }
finding-plan-follows = The plan follows the text: `qingyu check { $project } --fix --rule { $finding }`
finding-waived = waived by { $owner }: { $reason }
finding-waived-until = until { $chapter } is written
check-clean = The rules find nothing.
check-found = { $total } found: { $severities }
check-fix-how = { $count } of them can be fixed automatically: --fix
check-fix-file = { $count } of them can be fixed automatically in a project: qingyu import-story FILE
mended-nothing = Nothing could be fixed automatically.
mended = { $count } fixed, in change { $change }.
mended-removed = Removed from the story: { $piece }
mended-changed = Changed: { $change }
left-refused = its fix does not suit the story
left-harmful = its fix would do more harm than good
left-gone = already resolved by another fix
left-no-effect = its fix would not resolve it
left-untried = not tried: too many fixes before it did harm
waived = { $finding } was waived. { $open } still open.
facts-none = The story says nothing about that.
facts-over = None now. Before:
fact-told = chapter { $chapter }
fact-planned = planned, not told in the text
fact-planned-time = its time is only planned: no chapter tells that event
fact-over = it is over
fact-over-since = until { $time }
fact-uncertain = uncertain: it is not known since when
fact-known = Known by
impact-none = Nothing depends on it.
impact-steps = { $steps ->
    [one] 1 step
   *[other] { $steps } steps
} away
impact-total = { $count } in all.
because-refers-to = refers to
because-mentions = mentions
because-says = contains the sentence that says
because-tells = tells
because-says-the-same = gives another value for the same thing as
imported = “{ $title }” is project { $project }
unknown-fields = These fields are unknown and were left out: { $fields }
log-none = There are no changes yet.
log-undoes = undoes change { $change }
log-more = { $count } more
log-unnamed = { $count } × { $kind }
made-by-tool = tool { $tool }
made-by-import = import
made-by-replay = replay
made-by-undo = undo
made-by-edit = edit
made-by-comment = comment
made-by-chapters = chapters moved
made-by-check-fix = check and fix
made-by-waive = waiver
made-by-reconcile = reconcile
made-by-restore = restored version
made-by-outline = outline
made-by-ladders = ladders
made-by-merge = merge
made-by-fields = production
mode-lied = lied
mode-retconned = retracted
mode-disguised = in disguise
piece-document = text
piece-fact = fact
piece-promise = promise
piece-waiver = waiver
piece-comment = comment
error-unknown-tool = there is no tool { $name }
hint-unknown-tool = `qingyu tools` lists them
error-bad-arguments = the arguments of { $tool } are not JSON: { $message }
hint-bad-arguments = qingyu tool { $project } { $tool } '{"{"}"action": …{"}"}'
tools-of-server = Tools of the server { $server }
tools-server-missing = The tools of the server { $server } are not available: { $message }
tools-how = `qingyu tools NAME` shows the arguments of one; `qingyu tool PROJECT NAME JSON` calls it.
tools-schema = `--json` prints the whole JSON Schema.
tool-parameters = Arguments
tool-required = required
tool-one-of = one of
schema-string = text
schema-integer = whole number
schema-number = number
schema-boolean = true or false
schema-array = list
schema-object = object
schema-any = any value
category-of-tools-writing = Writing
category-of-tools-analysis = Checking and measuring
category-of-tools-knowledge = Knowledge
category-of-tools-content = Content
category-of-tools-research = Research
category-of-tools-admin = Installation
category-of-tools-external = Other servers
permission-read = reads
permission-write = changes the project
permission-admin = changes things outside projects
error-protocol = the client broke the protocol: { $message }
memories-none = There are no such memories.
session-none = Nothing is remembered of this session; a turn is remembered for an hour.
session-until = forgotten { $time }
session-forgotten = Turns forgotten: { $count }
memories-how = Change with `qingyu memory edit ID --text …`, `--on` or `--off`; forget with `qingyu memory forget ID`.
memory-kind-preference = preference
memory-kind-history = history
memory-kind-knowledge = knowledge
memory-standing-on = on
memory-standing-off = off
memory-standing-proposed = proposed, off until it is seen more often
memory-count = seen { $count }×
memory-project = only in { $project }
memory-everywhere = in every project
memory-what-said = said
memory-what-approved = approved
memory-what-rejected = rejected
memory-what-edited = edited
memory-what-waived = waived
memory-what-undid = undid
memory-forgotten = Forgotten: { $text }
memories-forgotten = { $count } forgotten.
memory-forget-ask = Forget everything that is remembered about you? [y/N]
error-unknown-prompt = there is no prompt { $given }
error-bad-prompt = the prompt { $name } cannot be used: { $message }
error-unknown-server = there is no tool server { $given } in the settings
error-unknown-memory = there is no memory { $given }
hint-unknown-memory = `qingyu memory list` shows the ids
error-bad-memory = this cannot be remembered: { $message } ({ $what })
error-unconfirmed = forgetting everything needs confirmation
hint-unconfirmed = qingyu memory forget --all --yes
search-none = Nothing found. Try other words, or a wider condition.
search-names = Names
search-pattern = Graph query
search-vectors = Vectors
search-reranked = Reranked by
search-fused = fused score { $score }
search-keyword = keywords: rank { $rank } (BM25 { $score }): { $terms }
search-vector = vectors: rank { $rank } (cosine { $score })
search-graph = graph: rank { $rank }
search-quality = quality { $score }: { $because }
passage-suspicious = Warning: this line addresses a model; it is treated as data only: { $text }
passage-told = : told in chapter { $chapter }
passage-told-of = : chapter { $chapter } tells of it
passage-planned = : a plan, not the text
passage-hidden = : the author’s own, hidden from readers
of-earlier-book = {" "}(from “{ $title }”)
passage-place = , version { $version }, from paragraph { $paragraph }
ask-working = looking things up and answering
ask-not-held = No answer was found in the material.
ask-sources = Sources
ask-left-out = { $count ->
    [one] 1 more passage
   *[other] { $count } more passages
} did not fit the budget.
ask-by-cards = answered by the cards and facts, without a model
ask-by = answered by { $model } · { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}
index-whole = { $count ->
    [one] The one passage has
   *[other] All { $count } passages have
} vectors of { $embedder }.
index-behind = { $having } of { $count ->
    [one] 1 passage has
   *[other] { $count } passages have
} vectors of { $embedder }; until all do, lexical vectors are searched. To continue: qingyu index PROJECT
engine-part-keywords = Keyword search
engine-part-vectors = Vector search
engine-part-graph = Graph
engine-part-long-term = Long-term memory
engine-part-short-term = Session memory
engine-behind = { $part }: { $server } has { $copied } of { $pieces ->
    [one] 1 piece
   *[other] { $pieces } pieces
} so far; the embedded part answered. To continue: qingyu index PROJECT
engine-filling = { $part }: { $server } is not filled yet; the embedded part answered. To fill it: qingyu index PROJECT
engine-down = { $part }: { $server } cannot be used ({ $reason }); the embedded part answered.
engine-unsupported = { $part }: { $server } cannot do this ({ $reason }); the embedded part answered.
graph-left-out = and { $count } more
error-bad-condition = the condition cannot be read: { $condition }: { $message }
hint-bad-condition = conditions look like this: role_type = protagonist and traits contains brave; also in (a, b), in 3..9, or, not, and brackets; or as JSON: {"{"}"traits": {"{"}"$contains": "brave"{"}"}{"}"}
error-unknown-search-field = no piece has the field { $given }
hint-unknown-search-field = the fields: { $known }
error-unknown-kind = there is no kind { $given }
hint-unknown-kind = there are: character, chapter, document, outline_node, event, location, organisation, item, relation, fact, promise, plot_node, world_rule, ladder
error-bad-pattern = the graph query is invalid: { $pattern }: { $message }
hint-bad-pattern = for example (x:Character)-[:enemy_of]->(a "Ann") return x; times are chapter:30, an event, or a time in the story's words
error-question-empty = the question is empty
hint-question-empty = give words to look for, or a question
error-question-too-long = the question has { $characters ->
    [one] 1 character
   *[other] { $characters } characters
}; the limit is { $limit }
hint-question-too-long = keep only the question
search-emphasis = × { $factor } for the chapter being written

create-outline = Read from the outline: chapters { $chapters }, characters { $characters }, places { $places }; { $rest ->
    [one] the one character left goes
   *[other] the other { $rest } characters go
} to the planner.

# books brought in and out
import-working = Splitting and saving
import-dry = “{ $title }”: what would be done
import-done = “{ $title }” is in project { $project } (change { $change })
import-nothing = All of it is in project { $project } already; nothing was changed
import-unread = No model has read the chapters yet; rules alone find few contradictions.
import-settled = Read by the rules: facts { $facts }, cards { $cards }, questions { $questions }
import-cast = Cast, by who speaks and acts; { $count ->
    [one] 1 card
   *[other] { $count } cards
} a card now:
import-cast-unsure = { $count ->
    [one] 1 more possible character, without a card:
   *[other] { $count } more possible characters, without a card:
}
import-cast-one = { $name }: speaks { $speaks }, acts { $acts }
import-encoding = Read as { $encoding }: { $by }
import-bad = { $count ->
    [one] 1 character could not be decoded and is
   *[other] { $count } characters could not be decoded and are
} shown as �
import-bad-place = line { $line }: { $excerpt }
import-proof = { $proof ->
    [sequences] sequences of bytes valid in it: { $valid }; broken: { $broken }
    [common_characters] { $percent } % of its Chinese are the commonest characters; read wrongly, it would be 15 % at most
    [marked_letters] { $percent } % of its letters have marks; read wrongly, it would be most of them
   *[other] it is written in the script of that encoding
}
import-candidate = --encoding { $encoding }: { $sample }
import-heading = { $count ->
    [one] 1 chapter begins
   *[other] { $count } chapters begin
} like “{ $example }”
import-apart = set apart: { $what } ({ $count ->
    [one] 1 line
   *[other] { $count } lines
}): { $sample }
apart-licence = the licence of the archive
apart-credits = who made the file
apart-update = update lines and page marks
apart-advertisement = advertisements
apart-caption = captions
apart-end = end marks
text-encoding = { $path } was read as { $encoding } ({ $by }); characters that could not be decoded: { $bad }
import-left-out = not imported: { $what } ({ $count })
import-left-out-named = not imported: { $what } ({ $count }): { $names }
list-more = { $count } more
taken-by-told = as specified
taken-by-mark = its byte order mark says so
taken-by-valid = all bytes are valid in it
taken-by-nearly = nearly all bytes are valid in it; the file is damaged
taken-by-look = guessed from the content
extra-pictures = pictures
extra-notes = footnotes
extra-comments = comments
extra-readings = phonetic readings
extra-emphasis = underlining, strikethrough, and emphasis that cannot be marked
extra-hidden = hidden text
extra-deletions = tracked deletions
extra-symbols = symbol-font characters
extra-research = documents outside the manuscript
extra-trash = documents in the trash
extra-excluded = documents that the project excludes from the book
extra-note-documents = note documents
extra-document-notes = notes attached to documents
extra-synopses = synopses
extra-labels = labels
extra-tags = tags and references
extra-scene-titles = scene titles
extra-missing = documents without a file
chapter-state-new = new
chapter-state-present = already there
chapter-state-replaced = new version
chapter-state-differs = already there with a different text
coverage = { $total ->
    [one] 1 character
   *[other] { $total } characters
}: { $parts }
coverage-text = { $count } in { $chapters ->
    [one] { $chapters } chapter
   *[other] { $chapters } chapters
}
coverage-headings = { $count } in headings
coverage-title = { $count } title and author
coverage-front = { $count } before the first chapter
coverage-apart = { $count } set apart
coverage-contents = { $count } table of contents
coverage-separators = { $count } scene breaks
coverage-blank = { $count } blank
origin-line = line { $line }
origin-entry = { $name }, paragraph { $paragraph }
manuscript-missing = number { $numbers } is missing before “{ $title }” ({ $place })
manuscript-twice = number { $number } appears twice: “{ $title }” ({ $place })
manuscript-backwards = number { $number } after { $after }: “{ $title }” ({ $place })
manuscript-one-chapter = No headings were found: the whole manuscript became one chapter of { $characters ->
    [one] 1 character
   *[other] { $characters } characters
}. Describe the headings with --heading PATTERN, or keep one chapter with --no-split
manuscript-suspect = reads like a heading: { $line }
manuscript-guessed = { $count ->
    [one] 1 chapter was
   *[other] { $count } chapters were
} guessed from headings such as “{ $example }”. Describe the headings with --heading PATTERN, or keep one chapter with --no-split
manuscript-long = “{ $title }” has { $characters ->
    [one] 1 character
   *[other] { $characters } characters
}, far more than the others: headings in it may have been missed ({ $place })
manuscript-outside = { $characters ->
    [one] 1 character is
   *[other] { $characters } characters are
} outside the chapters (set apart, front matter, contents), only { $text } in them: some of the text may be missing from the chapters
manuscript-unread = { $count ->
    [one] 1 line
   *[other] { $count } lines
} of the text read like headings, such as “{ $example }” ({ $place }): chapters may have been missed. Describe the headings with --heading PATTERN
manuscript-no-text = “{ $title }” has no text ({ $place })
manuscript-misprinted = the number of “{ $title }” is misprinted and was read as { $number } ({ $place })
manuscript-unfound = “{ $entry }” is in the table of contents, but no heading was found for it: its chapter may be part of “{ $title }” ({ $place })
manuscript-truncated = { $place } ends in the middle: { $characters ->
    [one] 1 character was
   *[other] { $characters } characters were
} read, ending with “{ $last }”; get a complete copy and import it over this one: --project, --replace
export-working = Exporting the book
export-done = “{ $title }”: { $chapters ->
    [one] 1 chapter
   *[other] { $chapters } chapters
}, { $length ->
    [one] 1 word
   *[other] { $length } words
} → { $path }
export-empty = “{ $title }” has no text
error-bad-manuscript = { $reason ->
    [unknown_format] the format of the file is unknown: it is not text, Markdown, DOCX, ODT, RTF, EPUB or HTML
    [project_index] the file is the index of a project and has no text
    [not_text] the text cannot be read as { $encoding }: invalid characters: { $bad } of { $characters }
    [unknown_encoding] there is no encoding { $encoding }
    [bad_pattern] { $pattern } is not a valid pattern: { $message }
    [no_heading] no line begins with { $pattern }
    [refused] { $place } is refused: { $message }
    [too_large] { $place } has more than { $limit } { $unit }
    [protected] { $place } is protected and cannot be read
    [empty] there is no text in it
   *[other] { $place } is damaged: { $message }
}
hint-bad-manuscript = { $reason ->
    [unknown_format] save it as .txt, .md, .docx, .odt, .rtf, .epub or .html; a word processor can convert .doc and .pdf; import a Scrivener or novelWriter project as its folder
    [project_index] import the folder of the Scrivener or novelWriter project by itself: qingyu import FOLDER
    [not_text] name the encoding: --encoding gbk, big5, utf-16le …
    [unknown_encoding] such as utf-8, gbk, gb18030, big5, utf-16le
    [bad_pattern] a pattern is a regular expression, such as "Chapter \d+" or "第.+章"
    [no_heading] check how headings look in the file; escape characters such as . and ( with a backslash
    [refused] a normal manuscript does not do this; save it again with a word processor, or as plain text
    [too_large] split it, or save it as plain text
    [protected] save a copy without password or copy protection
    [empty] pictures of pages contain no text; run text recognition (OCR) first
   *[other] get another copy, or save it again
}
place-the-file = the file
place-the-text = the text
place-the-archive = the archive
place-the-project = the project
message-it-is-no-archive = it is not an archive
message-it-ends-in-the-middle = it ends in the middle
message-it-ends-in-the-middle-before-any-text = it ends in the middle before any text
message-it-ends-in-the-middle-without-its-list-of-contents = it ends in the middle without its list of contents
message-it-names-no-package = it names no package
message-it-names-no-draft-folder = it names no draft folder
message-it-names-no-documents-of-a-novel = it names no documents of a novel
message-two-entries-have-the-same-name = two entries have the same name
message-it-is-a-link = it is a link
message-its-name-leads-out-of-the-archive = its name leads outside the archive
message-its-entries-lie-upon-each-other = its entries overlap
message-it-declares-a-document-type-of-its-own = it declares its own document type
message-must-be-at-least-n = must be at least { $n1 }
message-must-be-between-n-and-n = must be between { $n1 } and { $n2 }
message-must-be-a-number-from-n-up = must be a number of { $n1 } or more
message-must-be-a-number-from-n-to-n-not-n = must be a number from { $n1 } to { $n2 }, not { $n3 }
message-needs-budget-currency-beside-it = needs budget.currency as well
message-that-is-no-name-of-a-setting = is not the name of a setting
message-a-part-of-the-name-is-no-table = names a part that is not a table
message-a-setting-is-named-with-its-section-such-as-budget-tokens = must be named with its section, such as budget.tokens
message-a-setting-cannot-be-empty = cannot be empty
message-it-cannot-be-put-into-the-file-as-that-is-written = cannot be put into the settings file as it is written
message-the-file-would-be-no-toml = would make the settings file invalid TOML
message-at-least-n = must be at least { $n1 }
message-no-field-is-given = no field is given
message-a-premise-or-a-title-is-needed = a premise or a title is needed
message-this-run-asks-nothing = this run asks nothing
message-this-run-has-questions-about-chapters-approve-reject-or-decide-each = this run has questions about chapters: approve or reject them all, or decide each
message-this-run-proposes-changes-of-texts-approve-reject-or-decide-each = this run proposes changes to texts: approve or reject them all, or decide each
message-this-run-asks-what-to-do-next-say-so-in-words-or-approve = this run asks what to do next: answer in your own words, or approve
message-this-run-does-not-ask-for-a-direction = this run does not ask for a direction
message-no-direction-has-this-number = no direction has this number
message-this-run-asks-for-a-direction-choose-one-by-its-number-approve-to-go-on-without-one-or-reject = this run asks for a direction: choose one by its number, approve to continue without one, or reject them all
message-this-run-asks-about-its-material-approve-reject-or-edit-it = this run asks about its material: approve, reject or edit it
message-this-run-stopped-at-a-breakpoint-approve-to-continue = this run stopped at a breakpoint: approve to continue
message-a-key-is-one-word-of-latin-letters-digits-and-signs = a key is one word of Latin letters, digits and signs
unit-bytes = bytes
unit-bytes-of-markdown = bytes of Markdown
unit-bytes-in-a-name = bytes in a name
unit-entries = entries
unit-levels = levels
unit-paragraphs = paragraphs
unit-tokens = tokens
error-different-text = { $count ->
    [one] 1 chapter of { $project } has
   *[other] { $count } chapters of { $project } have
} a different text: { $titles }
hint-different-text = --replace saves new versions of them; --dry-run shows all
error-no-chapters = { $project } has no such chapters; it has { $chapters }
hint-no-chapters = a chapter is a document with a place in the book: qingyu show { $project }
error-file-exists = { $path } already exists
hint-file-exists = name another file with --output, or overwrite it with --force
error-not-unicode = { $name } is not valid Unicode
hint-not-unicode = name a folder whose name is valid UTF-8
error-clock = the clock of this machine is set before 1970
hint-clock = set the clock, and try again
error-not-replaceable = { $path } was not replaced: it is not a regular file, or not writable
hint-not-replaceable = name another file with --output
error-platform-format = this platform needs the format { $wanted }
hint-platform-format = --format { $wanted }
error-picture-format = the command line draws graphs as SVG, not as PNG
hint-picture-format = use --format svg and a file name that ends in .svg; for a PNG, press “Save as PNG” on the studio's page “Relationships” (qingyu serve --open)
error-unwritten = the file cannot be written: { $message }
error-no-mirror = { $project } has no folder for a mirror
hint-no-mirror = set mirror.folder in the settings on the machine of the server; only books of its local user are mirrored

# versions and branches
diff-none = There are no differences.
error-unknown-document = there is no text { $given }
hint-unknown-document = name it by number, title, id or place (#4); `qingyu chapter show { $project }` lists them
error-unknown-version = { $document } has no version { $version }; the newest is { $newest }
hint-unknown-version = `qingyu diff { $project } CHAPTER` lists them
goals-today = Today
goals-book = Book
goals-streak = Streak: { $days ->
    [one] 1 day
   *[other] { $days } days
}; the longest: { $longest }
goals-no-days = Nothing has been written by hand yet.
goals-agents = agents { $words }
mirror-done = { $folder }: version { $version }; files written: { $written }, deleted: { $removed }
mirror-kept = Changed in the folder and left as it is: { $path }
mirror-unchanged = Nothing to commit.
mirror-committed = Committed.
mirror-no-git = The program git is not installed, so nothing was committed. The files are up to date.
mirror-git-failed = git failed, so nothing was committed: { $message }
mirror-git-failed-there = git failed, so nothing was committed. The log of the server has its message.
mirror-nothing = Nothing was changed in the folder.
mirror-read = “{ $title }” was brought back as version { $version }.
mirror-same = “{ $title }”: only the layout of the file differs.
mirror-conflict = “{ $title }” was changed in the folder and in the studio. The studio’s text is in { $beside }. Bring both together in { $path }, delete { $beside }, and run the command again.
mirror-beside-kept = { $beside } was edited and stays as it is, so it may not be the studio’s newest text. Move it elsewhere and run the command again to get that text.
mirror-not-utf8 = { $path } is not saved as UTF-8, so it was neither brought back nor overwritten. Save it as UTF-8 and run the command again.
mirror-title-taken = { $path } was not brought back: there is already a chapter “{ $title }”. Change the title in the file and run the command again.
mirror-not-a-chapter = { $path } was not brought back: it is not a chapter, and cannot be renamed to “{ $title }” here. Restore the title in the file and run the command again.
mirror-title-refused = { $path } was not brought back: its text cannot have the title “{ $title }” ({ $message }). Change the title in the file and run the command again.
mirror-gone = { $path }: the book no longer has this chapter or card; the file stays as it is.
mirror-card = { $name }: { $fields } brought back.
mirror-card-text = description
mirror-unread-fields = { $path } was not brought back completely: { $fields }. The rest is brought back; the file stays as it is.
mirror-unread-field = { $label } ({ $reason })
unread-name = names are changed in the studio, since chapters use them too
unread-unknown-field = the card has no such field
unread-missing = missing, while the file has an unknown field
unread-not-a-number = not a whole number
unread-ambiguous = cannot be told apart from another field or entry
unread-only-in-studio = changed only in the studio
unread-empty = the file is empty
unread-invalid = the book does not accept it
mirror-written-only = { $path } is written by the studio only and was not brought back. Restore it, or delete it to get it anew.
mirror-deleted = { $path } was deleted in the folder. The book keeps it, and the file is written again; delete it in the studio.
series-none = This book has no earlier books and no canon. Add one: qingyu series add PROJECT EARLIER [--canon]
series-kind-volume = earlier book
series-kind-canon = canon
series-gap = { $gap } before the next book
series-shared = in both: { $names }
series-no-shared = nobody is in both
series-closed = missing, or not open to this key
series-missing = deleted, or not open to this key; nothing is compared with it
check-series = Compared with the earlier books: { $titles }
check-series-missing = Not compared, since deleted or not open to this key: { $titles }
members-none = This project has no members. Add one: qingyu members add PROJECT NAME --role comment
member-role-read = may read
member-role-comment = may read and comment
member-role-suggest = may read, comment and suggest
member-role-write = may change the project
member-role-approve = may change the project and approve
member-since = added { $at }
member-seen = last here { $at }
member-never-seen = not here yet
member-key-once = This is the key of { $name }. It is shown only now and stored nowhere: pass it on safely.
member-removed = { $name } is no longer a member; the key was revoked.
ending-approver = Approver
run-approver = Only { $name } may answer run { $run }.
run-no-approver = Everybody with the right to write may answer run { $run }.
comments-none = There are no open comments
comments-chapter-gone = Deleted chapters
comments-deletion = → delete
comments-words-gone = The words are gone
comments-resolved = resolved
comments-by-you = you
chapters-none = There are no chapters yet
chapters-same-number = Several chapters have the number { $number }: { $chapters }
chapters-changed = Saved as change { $change }; to undo it: qingyu undo { $project }
error-ambiguous-chapter = “{ $given }” matches several chapters
hint-ambiguous-chapter = name one of these:
    { $choices }
error-bad-chapter-edit = { $reason ->
    [no_title] a chapter needs a title
    [not_once] “{ $given }” must occur in the chapter exactly once, with text before it
    [no_next] no chapter follows “{ $given }”
    [name_taken] there is already a chapter “{ $given }”
   *[other] the chapters cannot be changed like this: { $message }
}
hint-bad-chapter-edit = `qingyu chapter show { $project }` lists them
restore-done = “{ $title }” was restored to version { $restored }, saved as version { $version }
restore-nothing = “{ $title }” already has the text of version { $restored }
branches-none = There are no branches.
branch-begun = Branch { $name } is project { $project }; it shares the changes up to { $change }
branch-deleted = Branch { $name } was deleted
branch-same = Neither side has changed anything.
branch-fates = project: { $project }, branch: { $branch }
branch-fate-same = same
branch-fate-added = added
branch-fate-changed = changed
branch-fate-removed = removed
branch-merged = { $count ->
    [one] 1 piece was
   *[other] { $count } pieces were
} merged from the branch (change { $change })
branch-merged-nothing = There was nothing to merge from the branch.
error-project-binned = { $project } is in the bin and cannot be changed
hint-project-binned = qingyu project restore { $project }
error-project-not-binned = { $project } is not in the bin; only projects in the bin can be permanently deleted
hint-project-not-binned = qingyu project delete { $project }
error-empty-unconfirmed = the new text of “{ $title }” is empty; the chapter would lose all its words
hint-empty-unconfirmed = to confirm, add --yes
error-project-unconfirmed = { $project } would be permanently deleted with its history and its runs
hint-project-unconfirmed = to confirm, add --yes
error-series-circle = { $project } is this book itself, or comes after it.
hint-series-circle = See the order of each book with: qingyu series show PROJECT
error-bad-picture = { $reason ->
    [too_large] the picture is larger than 2 MB
    [none] the card has no picture to describe
    [svg] the picture is an SVG drawing, which can contain scripts
   *[format] the picture is not PNG, JPEG or WebP
 }
hint-bad-picture = { $reason ->
    [none] give the image before --alt
   *[format] save it as PNG or JPEG of at most 2 MB
 }
error-unknown-branch = { $project } has no branch { $given }
hint-unknown-branch = qingyu branch { $project } list
error-bad-branch = { $reason ->
    [taken] { $project } has a branch { $name }
   *[other] “{ $name }” cannot be the name of a branch
}
hint-bad-branch = choose another name; at most 60 characters
error-branch-conflict = { $branch } and its project have both changed { $pieces }
hint-branch-conflict = say which side to take: --take project or --take branch
error-no-branch-name = no branch is named
hint-no-branch-name = qingyu branch { $project } list shows them
error-branch-unconfirmed = branch { $name } would be permanently deleted with its log
hint-branch-unconfirmed = to confirm, add --yes
# Chapters that are written.
agent-writer-agent = Writer
agent-chapter-review-agent = Chapter review
agent-settlement-agent = Settlement
agent-writer = Writer
agent-settle = Settlement
chapter-place = ({ $done } of { $of } in this run)
chapter-planned = Scenes
chapter-plan-fallback = planned from the outline alone: { $why }
chapter-scene-written = scene { $scene } written, { $words ->
    [one] 1 word
   *[other] { $words } words
} so far
chapter-written = written, { $words ->
    [one] 1 word
   *[other] { $words } words
}
chapter-fixed = { $fixed ->
    [one] 1 place
   *[other] { $fixed } places
} fixed, { $refused ->
    [one] 1 left out because it did not fit
   *[other] { $refused } left out because they did not fit
}
chapter-accepted = ✓ accepted, { $words ->
    [one] 1 word
   *[other] { $words } words
}
chapter-forced = ! accepted although its review did not pass, { $words ->
    [one] 1 word
   *[other] { $words } words
}
chapter-settled = Settled
chapter-settled-counts = { $facts ->
    [one] 1 fact
   *[other] { $facts } facts
}, { $events ->
    [one] 1 event
   *[other] { $events } events
}, { $cards ->
    [one] 1 card
   *[other] { $cards } cards
}, { $promises ->
    [one] 1 promise
   *[other] { $promises } promises
}, { $questions ->
    [one] 1 question
   *[other] { $questions } questions
}, { $rejected } rejected
chapter-briefed = the brief is ready
column-number = No.
column-words = Words
column-calls = Calls
brief-goal = Goal
brief-view = Point of view
brief-words = Words
brief-keep = Keep
brief-avoid = Avoid
brief-part-style = Style
brief-part-world = World
brief-part-rules = Rules of the world
brief-part-settings = Settings
brief-part-chapter = The chapter
brief-part-scenes = Its scenes
brief-part-planned-events = Planned events
brief-part-turns = Turns
brief-part-before = What came before
brief-part-next = What comes next
brief-part-ending = How the chapter before ends
brief-part-cast = Cast
brief-part-relations = Relations
brief-part-promises = Open promises
brief-part-facts = Facts
brief-part-passages = Passages
brief-part-preferences = The author's preferences
brief-part-genre = Genre
brief-part-events = Events
dimension-task = task
dimension-setting = setting
dimension-timeline = timeline
dimension-continuity = continuity
dimension-character = character
dimension-logic = logic
dimension-style = style
question-gate-arc = the arc “{ $what }” is written; go on? ({ $left ->
    [one] 1 chapter
   *[other] { $left } chapters
} left)
question-gate-chapters = { $what ->
    [one] 1 chapter is
   *[other] { $what } chapters are
} written; go on? ({ $left } left)
question-gate-finding = there is a finding: { $what }; go on? ({ $left ->
    [one] 1 chapter
   *[other] { $left } chapters
} left)
question-later-plan = the plan of “{ $name }” cannot be any more: { $reason }
question-later-plan-by-hand = You wrote this plan by hand; only your decision here changes it.
question-later-plan-locked = You locked this plan; only your decision here changes it, and it stays locked.
question-against-instruction = { $issue }. Fixing it would go against what you asked for in this chapter, “{ $instruction }”; keep to what you asked for?
question-below-floor = this draft is below the minimum for a chapter; keep it anyway?
question-draft-kept = you changed the chapter while it was being written; replace it with the draft?
ask-question = y yes · n no · l later · q leave all:
question-unsure = is this right: { $label }?
question-same = is “{ $name }” another name for someone or something already known? ({ $label })
question-same-event = is “{ $name }” the same event as the one already recorded?
question-told-here = this chapter: { $says }
question-known-chapter = chapter { $chapter }, “{ $name }”
question-planned-chapter = “{ $name }”, planned for chapter { $chapter } and not written yet
question-same-event-how = Yes: one event, with “{ $name }” as another name. No: a separate event is recorded. Later: nothing is recorded yet.
question-which = who or what is “{ $name }”? ({ $label })
ask-which = a number · n none of them · l later · q leave all:
ask-question-again = y, n, l or q
next-check = check the story against the chapters
next-export = the book as a file
next-correct = correct the open findings
next-write = write the chapters without a text, if any are left
next-questions = answer the questions
next-accept-all = answer yes to all of them
next-refuse-all = answer no to all of them

# Tasks.
task-confidence = Verified
task-writes = These texts would be changed:
task-more-places = and { $count ->
    [one] 1 more place
   *[other] { $count } more places
}
task-continue = Go on with the last chapter
task-continue-chapter = Go on with chapter { $chapter }
ask-writes = y write them · n leave them · q decide later:
ask-writes-again = y, n or q
next-write-changes = write the changes
next-leave-texts = leave the texts as they are
task-which-agent = The words do not say which agent is meant:
ask-agent = a number or a name · n leave it undone · q decide later:
ask-agent-again = a number or a name from the list, n or q
next-agents = name the agents yourself, in the order of the parts
next-leave-parts = leave these parts undone


# Replays, estimates, spending
run-kind-create = create
run-kind-write = write
replay-asked = asked { $number }: { $purpose } ({ $model })
replay-calls = Calls: { $played } from the recording, { $asked } asked
replay-identical = ✓ Identical: story and document are the same bytes.
replay-not-identical = ✗ Not identical to the original result.
replay-differs = These are different:
replay-unknown = The recording does not include the original result.
replay-prompts = Changed prompts
replay-embedder = The run searched with the vectors of { $embedder }; this replay compared letters instead.
replay-unplayed = Recorded, but not used
replay-more = … and { $count } more
replay-spent = Spent now
replay-kept = Kept as project { $project }.
piece-action-create = new
piece-action-update = changed
piece-action-delete = deleted
column-purpose = Call
column-input = Input
column-cached = Cached
column-output = Output
column-price = Price
column-model = Model
column-currency = Currency
column-date = As of
purpose-plan-create = Plan of the work
purpose-worldview-generate = World
purpose-worldview-correct = World, corrected
purpose-character-generate = Characters
purpose-character-correct = Characters, corrected
purpose-outline-generate = Outline
purpose-outline-correct = Outline, corrected
purpose-plot-generate = Plot
purpose-plot-correct = Plot, corrected
purpose-style-generate = Style
purpose-style-correct = Style, corrected
purpose-review-judge = Review
purpose-outline-book = Volumes of the book
purpose-outline-arcs = Arcs of the volumes
purpose-outline-chapters = Chapters of the arcs
purpose-outline-later = Check of later plans
purpose-chapter-understand = Chapter plan
purpose-chapter-generate = Chapter text
purpose-chapter-seams = Joins between scenes
purpose-chapter-review = Chapter review
purpose-chapter-fix = Chapter fixes
purpose-chapter-settle = Chapter facts
purpose-analysis-judge = Data analysis
purpose-text-review-judge = Text review
purpose-orchestrator-split = Split of the task
purpose-creative-general = Creative work
purpose-assistant-understand = Question, read
purpose-assistant-answer = Answer
estimate-asks-nobody = This calls no model and costs nothing.
estimate-chapters = { $count ->
    [one] One chapter
   *[other] { $count } chapters
}
estimate-total = Total
estimate-range = Tokens in all: { $least } if all goes well, { $most } if everything is retried.
estimate-money = Price: { $least } to { $most }.
estimate-unpriced = Price unknown: { $models }. Set it under [prices] in the settings file.
estimate-how = Typical figures: prompts are measured, answers estimated. Accurate to about a third.
spending-none = Nothing has been spent yet.
spending-by-run = Run
spending-by-project = Project
spending-by-chapter = Chapter
spending-by-agent = Agent
spending-by-purpose = Call
spending-by-model = Model
spending-by-day = Day
spending-other = other
spending-chapter = chapter { $chapter }
spending-replayed = { $calls ->
    [one] 1 more call
   *[other] { $calls } more calls
} came from recordings and cost nothing.
spending-today = Today, in total: { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}; { $money }
prices-how = Per million tokens. Change or add one under [prices] in the settings file.
ask-raise = New limit (empty: stop here)
ask-raise-again = Please enter a number.
figures-length = { $length ->
    [one] 1 word
   *[other] { $length } words
}
figures-style = Style
figures-emotion = Emotion
figures-pace = Pace
figures-quality = Quality
figures-sentences = Sentences
figures-paragraphs = Paragraphs
figures-lengths = { $count }, mean { $mean }, median { $median }, spread { $spread }, longest { $longest }
figures-dialogue = Dialogue
figures-spoken = { $share } of the text, { $count ->
    [one] 1 speech
   *[other] { $count } speeches
}, mean { $mean }
figures-speakers = Speakers
figures-unnamed = { $count ->
    [one] 1 speech has
   *[other] { $count } speeches have
} no named speaker
figures-polarity = Polarity
figures-intensity = Intensity
figures-polarity-curve = Polarity over the text
figures-intensity-curve = Intensity over the text
figures-words = Emotion words
figures-pace-mean = { $mean } from 0 (slow) to 1 (fast); action words per 1,000: { $actions }
figures-pace-curve = Pace over the text
figures-sentence-curve = Sentence length
figures-dialogue-curve = Dialogue
figures-action-curve = Action
figures-readability = Readability
figures-flesch = { $ease }: Flesch { $score }, grade { $grade } (words per sentence: { $words }; syllables per word: { $syllables })
figures-xu = { $ease }: { $score } (characters per clause: { $clause }; adverbs and conjunctions among the words: { $functions })
figures-variety = Variety
figures-variety-words = different words: { $different } of { $count } ({ $ratio }), { $moving } in a window of { $window }, MTLD { $mtld }
figures-variety-pairs = different pairs of characters: { $different } of { $count } ({ $ratio }), { $moving } in a window of { $window }, MTLD { $mtld }
feeling-joy = joy
feeling-love = love
feeling-anger = anger
feeling-sadness = sadness
feeling-fear = fear
feeling-disgust = disgust
feeling-surprise = surprise
ease-easy = easy
ease-plain = plain
ease-dense = dense
ease-hard = hard
shown-longest-sentence = longest sentence
shown-most-positive = most positive
shown-most-negative = most negative
shown-quickest = fastest
shown-slowest = slowest

review-about = { $length ->
    [one] 1 word
   *[other] { $length } words
}, rules of { $platform }, level { $level }
level-loose = loose
level-standard = standard
level-strict = strict
review-words = Words that may be rejected: { $count }
review-advice = Instead
review-copied = Found elsewhere: { $share } ({ $copied } of { $length ->
    [one] 1 word
   *[other] { $length } words
})
review-original = No passage of it occurs in the texts it was compared with
review-source = { $share } of this text, { $count ->
    [one] 1 passage
   *[other] { $count } passages
}, the longest of { $longest ->
    [one] 1 word
   *[other] { $longest } words
}
review-rules = Rules broken: { $count }
review-more = … and { $count } more
review-total = { $passed } of { $total ->
    [one] 1 text
   *[other] { $total } texts
} pass
verdict-clean = ✓ No problems found
verdict-passed = ✓ Passed, with remarks
verdict-failed = ✗ Must be fixed first
word-category-drugs = drugs
word-category-gambling = gambling
word-category-fraud = fraud
word-category-weapons = weapons
word-category-terror = terror
word-category-gore = gore
word-category-sexual = sexual
word-category-minors = minors
word-category-self-harm = self-harm
word-category-cults = cults and superstition
word-category-discrimination = discrimination
word-category-abuse = abuse
word-category-politics = politics
word-category-advertising = advertising
disguise-width = in another form
disguise-traditional = traditional
disguise-spaced = spaced out
disguise-looks-alike = looks alike
disguise-sounds-alike = sounds alike
disguise-leet = digits for letters

stats-totals = { $chapters ->
    [one] 1 chapter
   *[other] { $chapters } chapters
}, { $length ->
    [one] 1 word
   *[other] { $length } words
}, { $chapter } in a chapter, { $sentence } in a sentence, { $dialogue } dialogue
stats-progress = Progress
stats-chapters = chapters { $chapters }
stats-words = words { $words }
stats-none = No chapter has been written yet.
stats-lengths = Chapter lengths
column-length = Words
column-planned = Planned
column-sentence = Sentence
column-dialogue = Dialogue
column-people = Who
column-name = Name
column-role = Role
column-mentions = Mentions
column-chapters = Chapters
column-presence = Where
column-speeches = Speeches
column-spoken = Spoken

error-unknown-platform = there are no rules for the platform { $given }
hint-unknown-platform = known platforms: { $known }; or give a rules file ending in .toml
error-no-text = there is no text in { $given }
hint-no-text = `qingyu write` writes chapters, and `qingyu chapter insert --file` adds one of your own; `qingyu stats` shows which have a text

## Chapters edited by hand, and settled again

edit-nothing = “{ $title }” is unchanged.
edit-done = “{ $title }” is now version { $version } ({ $length }), in change { $change }.
edit-gone = Removed with their sentences: { $count }
edit-back = Restored with their sentences: { $count }
edit-found = Found in the new paragraphs: { $count }
edit-waiting = Told, dated or counted in words that have changed; left as they are until the text is read again: { $count }
edit-clean = The rules find nothing in this chapter.
edit-findings = { $count } found in this chapter.
settle-kept = Kept though the chapter no longer says so: { $count }
stays-changed = someone changed it
stays-referred = { $by } refers to it
stays-retold = document { $by } tells it too
settle-unsure = is this right?
settle-same = is “{ $name }” another name for { $of }?
settle-which = “{ $name }” may be any of { $of }
settle-promise = there is no open promise “{ $name }”
reconcile-created = New: { $count }
reconcile-changed = Changed: { $count }
reconcile-removed = Removed: { $count }
reconcile-questions = To decide: { $count }
reconcile-done = Saved as change { $change }; `qingyu undo` undoes it.
reconcile-pending = Nothing was changed. Chapters read: { $count }; --apply saves this.
reconcile-same = Chapters read: { $count }. The story says what the prose says.

# What a model says on top of an analysis or a review.
judgement-heading = The judgement
judgement-none = There is no judgement; the computed result stands.
judgement-figures = Rests on
judgement-suggestions = Suggestions
judgement-no-words = No word was found, so no model was asked.
judgement-no-doubts = No word was disputed; the findings stand.
judgement-harmless = harmless here
judgement-problem = a problem here
judgement-run = Run
task-analyze = Analyse this chapter.
task-review = Review this chapter before it is published.

## Content production

agent-production-agent = producer
agent-conversation-agent = conversation
agent-production = production
agent-research = research
agent-consumer = simulated readers
agent-judge = judge
agent-research-agent = research
agent-consumer-agent = simulated reader
agent-judge-agent = judge
agent-template = template
autonomy-wait = waits for you
autonomy-auto = continues automatically
field-status-empty = empty
field-status-draft = to be confirmed
field-status-confirmed = confirmed
field-status-stale = stale
field-figures = {"  "}v{ $version }, { $length ->
    [one] 1 word
   *[other] { $length } words
}
field-made = v{ $version }
field-kept = was changed in the meantime; the change was kept
field-path = Path
field-state = Status
field-version = Version
field-maker = Made by
field-depends = Made from
field-dependents = Used in
field-input = A model is shown
field-input-tokens = {"  "}({ $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
})
produce-no-voice = No voice is set: qingyu produce voice PROJECT --file voice.toml
voice-client = Client
schedule-none = No schedule. Set one with --every 1w.
schedule-every = Every { $every }, next at { $next }, by a server at work.
schedule-order = Each time
schedule-next-phase = the next phase
schedule-stale = regenerate what is stale
schedule-last = Last time: { $at }, run { $run }: { $status }
schedule-failed = Last time: { $at }, refused: { $message }
schedule-lost = Last time: { $at }, the server ended before it gave the order.
voice-sample = Sample
voice-forbidden = Never say
voice-term = Write
produce-queued = Waiting for another command on the project (run { $run }).
produce-template = Template
produce-because = because of
produce-nothing-stale = Nothing is stale.
produce-updated = { $path } is now version { $version }.
produce-added = new fields
produce-removed = removed fields
produce-stale = stale
produce-written = Written: { $path }
produce-too-long = The text for { $channel } has { $length ->
    [one] 1 character
   *[other] { $length } characters
}; the limit is { $limit }.
produce-hint = Type what you want in your own words; /help shows commands, Ctrl-D leaves. Everything is saved.
produce-prompt = you>
produce-left = The production is waiting for you; nothing is lost. To continue:
next-chat = talk, change, continue
next-read = read a field
next-regenerate = regenerate only what is stale
next-export-content = write the content as a file
slash-fields = show phases and fields
slash-read = FIELD: show a field
slash-go = confirm the phase and continue
slash-phase = PHASE: go back to a phase
slash-make = FIELD …: regenerate fields (default: those the phase lacks)
slash-stale = regenerate what is stale
slash-research = QUESTION: search and read the web
slash-auto = PHASE: let a phase continue automatically (default: all)
slash-wait = PHASE: let a phase wait for you (default: all)
slash-quit = leave; the production waits
slash-end = end the run
error-bad-request = The request is invalid at “{ $path }”: { $message }.
error-database-unreachable = The database server { $server } cannot be used: { $message }
error-on-server = The database is on a server; back it up with the server's own tools.
hint-database-unreachable = Check storage.url in the settings (qingyu config), and that the server is running.
hint-on-server = { $command }
error-not-approver = Only { $approver } may answer run { $run }.
hint-not-approver = Ask { $approver }, or have another approver named: qingyu runs approver { $run } NAME
error-unknown-approver = “{ $given }” cannot approve in this project.
hint-unknown-approver = These can: { $known }. Others need the role approve: qingyu members change PROJECT NAME --role approve
error-forbidden = This needs the permission “{ $needed ->
    [read] read
    [comment] comment
    [suggest] suggest
    [write] write
    [approve] approve
    [admin] admin
    [all_projects] all projects
    [this_machine] user of this machine
    [earlier_books] access to the earlier books of this run
   *[other] { $needed }
}”.
hint-forbidden = Ask for a key that has it.
error-run-unfinished = Run { $run } was stopped in the middle of its work.
hint-run-unfinished = Resume it first: qingyu resume { $run }
error-chapter-changed = { $title } was changed in the meantime: it has version { $found }, not { $expected }.
hint-chapter-changed = Nothing was saved. Review the current text, then edit it again.
error-field-conflict = { $path } was changed in the meantime: it has version { $found }, not { $expected }.
hint-field-conflict = Review it (qingyu produce read), then try again.
error-production = { $reason ->
    [unknown_field] There is no field { $given }.
    [unknown_phase] There is no phase { $given }.
    [no_production] The project has no phases and fields.
    [not_ready] The content is not ready to be published.
    [misfit] The value is not valid for { $given }.
    [pattern] { $given } stands for a list of fields and has no value of its own.
    [empty] { $given } is empty and cannot be confirmed.
    [cycle] Fields depend on each other.
    [unknown_dependency] { $given } depends on something that does not exist.
    [twice] There are two fields { $given }.
    [bad_schema] The schema of { $given } is invalid: { $message }
    [bad_template] The template { $given } cannot be read: { $message }
    [unknown_template] There is no template { $given }.
    [unknown_voice] There is no voice { $given }.
    [bad_voice] The voice { $given } cannot be read: { $message }
    [unknown_channel] There is no channel { $given }.
   *[bad_channel] The text of channel { $given } cannot be made: { $message }
}
hint-production = { $reason ->
    [unknown_field] Similar ones: { $others }
    [unknown_phase] The phases: { $others }
    [no_production] Start one: qingyu produce new "…"; for a book: qingyu produce simulate { $project }
    [not_ready] { $others }. To export it all the same: --draft
    [misfit] Problems: { $others }
    [pattern] Name one of its items, such as { $given }/1.
    [cycle] The cycle: { $others }
    [unknown_dependency] It names { $others }.
    [unknown_template] The templates: { $others }
    [unknown_voice] The voices: { $others }. Each is a file NAME.toml in the folder voices of the data folder.
    [unknown_channel] The channels: { $others }
   *[empty] See the fields: qingyu produce fields { $project }
}

# users, keys, audit, copies
column-user = User
column-user-role = Role
column-created = Since
column-at = When
column-action = What
column-object = To what
column-origin = From
column-result = Result
user-role-admin = admin
user-role-member = member
user-enabled = enabled
user-disabled = disabled since { $since }
keys-none = There are no keys. Create one: qingyu keys make --name editor
key-once = This is the key. It is shown only now and stored nowhere: save it where your program finds it.
key-right-read = may read
key-right-comment = may read and comment
key-right-suggest = may read, comment and suggest
key-right-write = may change projects
key-right-approve = may change projects and approve
key-right-admin = may change everything
key-state-active = active
key-state-expired = expired
key-state-revoked = revoked
key-all-projects = all projects
key-created = created { $at }
key-expires = expires { $at }
key-revoked = revoked { $at }
key-revoked-members = Members added with this key stay until they are removed: qingyu members list PROJECT
key-used = last used { $at }
key-never-used = never used
limit-requests = { $most ->
    [one] 1 request
   *[other] { $most } requests
} a minute
limit-runs = { $most ->
    [one] 1 run
   *[other] { $most } runs
} at once
limit-tokens = { $most ->
    [one] 1 token
   *[other] { $most } tokens
} a day
limit-money = { $most } a day
audit-none = There are no entries yet.
audit-whole = { $count ->
    [one] The one entry is
   *[other] All { $count } entries are
} intact.
audit-broken = The chain is broken at entry { $number }: it was changed, added or removed.
audit-digest = Digest
backup-made = Copied to { $path } ({ $size }).
backup-schedule = Every { $every }, the newest { $keep } kept, in { $path }. Next: { $next }
backup-no-schedule = No scheduled backups. Set backups.every, such as "1d"; `qingyu serve` and the studio make them in { $path }.
backup-on-server = The data is in PostgreSQL: back it up with its own tools, such as pg_dump.
backup-none = There are no backups in this folder yet.
backup-requested = on request
backup-failed = The last try failed ({ $when }): { $message }
backup-lacks = The settings, your own prompts and lists, and recordings are separate files and not in the copy.
backup-restored = Restored: { $path }
backup-replaced = The previous database is kept at: { $path }
error-not-in-build = This program was built without { $what }: the demo build has no server.
hint-not-in-build = Build the full version: `make studio`, or `cargo install --locked --path crates/qingyu-cli`.
error-only-here = { $what } works only on the machine where the data is, not with --server.
hint-only-here = Run it there, without --server.
error-bad-server = { $url } is not a server address: { $message }
hint-bad-server = For example: --server https://books.example.org
error-plain-http = The key would be sent to { $url } without encryption
hint-plain-http = Use https://; on a network that is yours alone, add --plain-http
error-server-unreachable = The server { $url } cannot be reached: { $message }
hint-server-unreachable = Check the address, and that the server is running: qingyu serve
error-bad-answer = The answer of { $url } was not understood: { $message }
hint-bad-answer = Is it a Qingyu server, and as new as this command?
error-unauthorized = This needs a valid key.
hint-unauthorized = An admin can create one: qingyu keys make
error-schedule-key-invalid = The key that set the schedule is no longer valid.
hint-schedule-key-invalid = Set the schedule again, with a valid key: qingyu produce schedule { $project } --every 1w
error-limit = { $limit ->
    [requests_per_minute] This key allows { $most ->
        [one] 1 request
       *[other] { $most } requests
    } a minute.
    [parallel_runs] This key allows { $most ->
        [one] 1 run
       *[other] { $most } runs
    } at once.
    [tokens_per_day] This key allows { $most ->
        [one] 1 token
       *[other] { $most } tokens
    } a day.
   *[money_per_day] This key allows { $most } { $unit } a day (calls whose price is not known: { $uncounted }).
}
hint-limit = Try again in { $retry_after ->
    [one] 1 second
   *[other] { $retry_after } seconds
}.
error-unknown-user = There is no user { $given }.
hint-unknown-user = List them with: qingyu users list
error-bad-user = { $reason ->
    [taken] User { $given } already exists.
   *[unfit] “{ $given }” cannot be the id of a user.
}
hint-bad-user = Use lower-case Latin letters, digits, “.”, “_” and “-”, at most 64.
error-unknown-key = There is no key { $given }.
hint-unknown-key = List them with: qingyu keys list
error-bad-key = { $reason ->
    [admin_of_member] A member cannot have an admin key.
    [admin_of_projects] An admin key cannot be limited to projects.
    [expired] The key would already have expired.
    [no_name] A member needs a name.
    [taken] The project already has a member of this name.
    [too_many] The project already has 50 members. Remove one first: qingyu members remove
    [several] Several members have this name. Give the id of the key instead.
    [several_approvers] Several members who can approve have this name. Remove one and add the person under another name.
   *[name] The name of a key is one line of at most 100 characters.
}
error-target-exists = { $path } already exists.
hint-target-exists = Name another file.
error-has-data = A database already exists: { $path }
hint-has-data = Use --replace to put the copy in its place; the old one is kept in the folder backups.

# The checkpoints of a run.

checkpoints-none = This run has no checkpoints yet.
checkpoints-how = qingyu runs state { $run } --at { $checkpoint } shows a state, qingyu runs fork { $run } --at … continues from one.
checkpoints-more = Earlier ones: qingyu runs history { $run } --before { $checkpoint }
checkpoint-number = No.
checkpoint-title = Checkpoint { $checkpoint } of run { $run }
checkpoint-source-input = request
checkpoint-source-loop = run
checkpoint-source-update = edit
checkpoint-source-fork = fork
checkpoint-end = the end
checkpoint-more-fields = + { $count }
checkpoint-count = { $count ->
    [one] 1 entry
   *[other] { $count } entries
}
checkpoint-next = Next
checkpoint-failure = Failed
checkpoint-closed = Fields marked * cannot be edited.
checkpoint-empty = Empty
checkpoint-nodes = Nodes
checkpoint-edited = Checkpoint { $checkpoint } of run { $run } has the edited state.
checkpoint-edited-fork = Finished nodes run again, so the edit is in a new run, { $run }; the old run stays as it is.
checkpoint-forked = Run { $run } continues from the checkpoint; the old run stays as it is. The story of the project is not taken back.
prompt-correction = Correction prompt for { $node }
prompt-title = Superstep { $superstep } · { $purpose }
prompt-role-system = System
prompt-role-user = Request
prompt-role-assistant = Model
prompt-role-tool = Tool
prompt-answer = Answer
prompts-none = The node has asked no model there.
prompts-unrecorded = The run was not recorded, so the requests to its models are not known (setting cassettes.record).
breakpoint-title = The run stopped at a breakpoint.
breakpoint-before = Before
breakpoint-after = After
ending-breakpoint = Stopped at a breakpoint.
next-state = look at the state
next-edit-state = change the state before it continues
column-source = By
column-ran = Ran
column-written = Changed
column-next = Next
column-field = Field
column-value = Value
error-unknown-checkpoint = run { $run } has no checkpoint { $checkpoint }
hint-unknown-checkpoint = `qingyu runs history { $run }` lists them
error-unknown-field = the state of the run has no field { $given } that can be edited
hint-unknown-field = these can be edited: { $known }
error-unknown-node = the graph of the run has no node { $given }
hint-unknown-node = it has: { $known }

teardown-working = Reading the reference …
structure-summary = length { $length } · chapters: { $chapters } · arcs: { $arcs }
structure-arcs = Arcs (guessed)
structure-arc = chapters { $from }–{ $to }: peak in chapter { $peak }, tension { $tension }; chapters with a payoff: { $payoffs }
structure-cadence = Cadence
structure-lengths = length of a chapter: { $least } to { $most }, in the middle { $median }
structure-payoff = chapters per payoff: { $every }; longest wait: { $wait }
structure-no-payoff = no payoff was found by the rules; the genre leaves its rhythm to you
structure-climax = chapters per climax: { $every }
structure-no-climax = no marked climax
structure-pulling = chapter-end hooks: { $share }
structure-rows = longest runs: with the same function { $function }, with the same ending { $ending }, with the same tension { $tension }
structure-openings = openings
structure-endings = endings
structure-tension = tension along the book
structure-basis = What the figures rest on
structure-basis-row = { $figure }: { $by } · { $count }
structure-how = To plan a book with this structure: qingyu teardown <file> --genre <name>
structure-genre-saved = Saved as the genre { $genre }, with only numbers and stock phrases. To plan with it: qingyu create --genre { $genre } "…"
structure-figure-length = length (chapters)
structure-figure-dialogue = dialogue (speeches)
structure-figure-stage = people on stage (people)
structure-figure-opening = openings (chapters with a known form)
structure-figure-ending = endings (chapters with a known form)
structure-figure-turn = turns (statements)
structure-figure-payoff = payoffs (chapters)
structure-figure-tension = tension (chapters)
structure-figure-function = functions (chapters)
structure-figure-arc = arcs
structure-by-count = counted in the text
structure-by-form = by the form of the first and last sentences
structure-by-rule = by the rules that read a chapter without a model
structure-by-guess = guessed from pace, words of feeling, names and turns, within this book
column-tension = Tension
column-function = Function
column-opening = Opens
column-ending = Ends
column-turns = Turns
opening-kind-speech = speech
opening-kind-question = question
opening-kind-arrival = arrival
opening-kind-exit = exit
opening-kind-forecast = forecast
opening-kind-calm = calm
opening-kind-narration = narration
ending-kind-question = question
ending-kind-broken-off = broken off
ending-kind-sleep = sleep
ending-kind-exit = exit
ending-kind-arrival = arrival
ending-kind-forecast = forecast
ending-kind-calm = calm
turn-kind-gain = gain
turn-kind-discovery = discovery
turn-kind-victory = victory
turn-kind-rise = rise
turn-kind-return = return
turn-kind-loss = loss
turn-kind-death = death
turn-kind-setback = setback
chapter-function-climax = climax
chapter-function-setback = setback
chapter-function-payoff = payoff
chapter-function-rest = rest
chapter-function-rise = rise
chapter-function-development = development
