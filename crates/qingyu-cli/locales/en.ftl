# What the command says in English. `zh.ftl` has the same keys with the same variables (a test keeps it so).

## Small things

label = { $name }:{" "}
list-comma = ,{" "}
list-semicolon = ;{" "}
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
requirement-extension = more of a story that is there
requirement-modification = changes to a story that is there
complexity-simple = simple
complexity-medium = medium
complexity-complex = complex
work-mode-generate = first time
work-mode-correct = correction
work-mode-regenerate = anew
correction-incremental = incremental: keep all, change what is named
correction-incremental-fix = incremental: keep all, change what is named
correction-regenerate = regenerate: make it anew
strategy-none = nothing
strategy-incremental-fix = mend what is named
strategy-regenerate = make it anew
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
predicate-rank = rank
predicate-siblings = siblings
predicate-children = children
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
status-running = working
status-waiting = waits for you
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
review-reason-max-iterations = The correction rounds are used up and the review has still not passed.
review-reason-stalled = The last correction hardly made it better, so going on would waste tokens.
review-reason-low-score = The score is too low for a correction to help.
review-reason-unmet-wish = Something that was asked for is not there, and the agents cannot mend that.
review-reason-strategy = The reviewer asks for a person's judgement.
review-reason-unknown-agent = The report asks for work that no agent does.

## The beginning of a run

run-started = Requirement
run-resumed = Going on with
model-label = Model
offline-badge = [OFFLINE ASSISTANT]
offline-what = No language model: answers by rules, structures and your own words, leaves [to be written] where nothing is known, writes no prose, costs nothing.
why-configured = set in: { $layer }
why-key-set = { $variable } is set
why-key-kept = the key of { $provider } was given to this program
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
plan-total = { $tokens } tokens estimated; critical path { $path }
plan-estimate = Estimated without corrections

## At work

agent-started = { $agent } ({ $mode }):{" "}
agent-tokens = { $tokens } tokens
call-reused = answer of { $model } taken from the record of an earlier attempt, not paid again
call-repaired = the answer of { $model } had to be repaired
call-substituted = { $model } answered in the place of { $wanted }: { $error }
call-attempts = { $model } was asked { $attempts } times until the answer fitted

## The report and corrections

report-title = Diagnostic report
report-title-numbered = Diagnostic report { $number }
report-passed = passed
report-not-passed = not passed
report-wishes = Asked for
report-wishes-none = nothing to check
wish-state-met = met
wish-state-unmet = not met
wish-state-not-checkable = for a reader to judge
report-strategy = Next
report-approved = accepted by you, although it did not pass
basis-nothing = There is nothing to check, so there is no score.
basis-checked = Rests on { $looked } of { $run } rules; { $judge }
basis-blind = { $count } { $count ->
    [one] rule had
   *[other] rules had
  } nothing to look at: { $missing }
basis-blind-kind = no { $kind } ({ $count })
basis-off = { $count } { $count ->
    [one] rule is
   *[other] rules are
  } switched off in the settings
basis-step-failed = step { $step } ({ $agent }) was not done: { $reason }
judge-rules = no model was asked
judge-model = judged by a model as well
reading-chapters = A model has read the current text of { $read } of { $total } { $total ->
    [one] chapter
   *[other] chapters
  }
reading-unread = read by nobody: { $chapters }
reading-rules-only = read by the rules only: { $chapters }
reading-changed = changed since a model read them: { $chapters }
chapters-unread = no model has read these as they stand: { $chapters }
edit-unread = No model has read this text: what contradicts the book by its meaning is not found by rules. Have it read: qingyu read { $project }
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
next-extend = go on with this story
next-direction = take a direction; “1 conflict=2” mixes
next-no-direction = go on with your own words alone
next-other-directions = say what you would rather see, and get other directions
next-approve = take it as it is
next-reject = send it back with your words
next-edit = put your own material in its place
next-resume = go on from where it stood; nothing that was paid is paid again

## A person is asked

ask-approve = take it as it is
ask-reject = send it back, and say what is wrong
ask-edit = edit the material in your editor
ask-later = decide later
ask-prompt = a / r / e / q >
ask-direction = Which direction?
ask-direction-how = Enter a number to choose one. “1 conflict=2 title=3” combines several; add notes after it. Enter s to plan from your own words, nothing to decide later, or anything else to describe the directions you would rather see.
ask-direction-again = There is no direction of that number.
directions-title = Directions this book could take
ask-feedback = What is wrong, and what do you want instead? >
ask-unchanged = Nothing was changed.
ask-again = Please type a, r, e or q.

## Views

outline-title = Outline ({ $count ->
    [one] 1 node
   *[other] { $count } nodes
})
outline-words = { $count } words
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
character-personality = Nature
character-background = Past
character-goals = Wants
character-conflicts = Against it
character-weakness = Weakness
character-arc = Arc
character-secret = Secret
character-secret-until = Not to be known before
character-voice = Says
relations-title = Relations ({ $count })
relations-reading = Read a row as: this one is … to those.
relation-since = From
relation-until = Until
timeline-title = Timeline ({ $count ->
    [one] 1 event
   *[other] { $count } events
})
event-mode = ({ $mode })
event-deaths = Dies
event-after = After
event-told = Told in
plot-title = Plot ({ $count ->
    [one] 1 node
   *[other] { $count } nodes
})
plot-node-outline = In
plot-node-causes = Because of
plot-node-events = Made of
world-title = World
world-genre = Genre
world-era = Time
world-truth = The truth
world-truth-until = Not to be known before
world-rules = Rules
world-locations = Places
world-organisations = Organisations
world-items = Things
item-holder = held by
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
overview-views = Views: outline, characters, relations, timeline, world, plot, style, report, reasoning, provenance. For example:

## Lists

column-run = Run
column-title = Title
column-status = State
column-unread = Unread
column-score = Score
column-tokens = Tokens
column-started = Began
column-project = Project
column-language = Language
column-premise = Premise
column-updated = Changed
column-code = Code
column-severity = Severity
column-rule = What it finds
runs-none-such = There are no such runs.
runs-more = There are more: add --after { $run }
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
guide-next-key = keep the key of a provider; qingyu models lists them
guide-next-offline = or skip that, and plan with the offline model
guide-next-direction = get three directions to choose from, for your own sentence
guide-next-resume = go on where the run waits or was stopped
guide-next-material = make the material
guide-next-chapter = write chapter 1
projects-none-archived = Nothing is in the archive.
projects-none-binned = The bin is empty.
project-renamed = { $project } is called “{ $title }” now
project-archived = “{ $title }” ({ $project }) is in the archive; qingyu project restore { $project } takes it out
project-binned = “{ $title }” ({ $project }) is in the bin; qingyu project restore { $project } takes it out
project-restored = “{ $title }” ({ $project }) is on the shelf again
project-deleted = “{ $title }” ({ $project }) is deleted for good
cover-is = The cover has a picture: { $kind }, { $kilobytes } kB
cover-none = The cover has no picture; readers see the title.
projects-none = No projects yet. Begin with: qingyu create "A lighthouse keeper receives a letter he posted thirty years ago"
model-models = Models
model-address = Address
model-roles = Serves
model-ready = ready
model-answers = answers
model-silent = no answer on this machine
model-no-key = give its key with `qingyu models key { $provider }`, or set { $variable }
model-has-kept-key = its key was given to this program
model-retires = { $model } is retired on { $day }: choose another, or a preference such as `usual`, which moves on by itself
model-listed = { $count ->
    [one] one model
   *[other] { $count } models
} for your key
model-no-keys = No provider has a key yet. Give one with: qingyu models key PROVIDER
model-key-ask = The key of { $provider } (it is not shown):
model-key-kept = The key of { $provider } is kept in the data folder, for you alone, and counts from now on. Try it: qingyu models try { $provider }/usual
model-key-environment = The key of { $provider } comes from its environment variable, which goes over the one that is kept.
model-key-gone = No key of { $provider } is kept any more.
model-works = { $model } works
model-works-not = { $model } does not work as it is set up
trial-text = In words
trial-json = As JSON
trial-took = ({ $seconds } s, { $tokens } tokens)
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
report-read = It has no key, text, title or path in it. Read it before you send it.
rule-fires = This is found:
rule-spares = This is left alone:
rule-off = off
rules-how = `qingyu rules CODE` explains one.
graph-about-pipeline = from one sentence to a story: plan, agents, review, corrections, a person
graphs-how = `qingyu graph NAME` draws one.
graph-written = The drawing is in { $path }.
graph-line-edge = always
graph-line-join = once all have run
graph-line-route = by a rule's choice
graph-line-command = by the node's choice
graph-line-error = after a failure
graph-line-deferred = runs last
check-data-folder = Data folder
check-free-space = Free space
check-sqlite-version = SQLite
check-database = Database
check-integrity = Integrity
check-keys = Keys
check-local-servers = Local model servers
check-model = Model
check-embedder = Embedder
check-clock = Clock
check-settings = Settings
check-prompts = Prompts
found-data-folder = { $path }
found-free-space = { $bytes }
found-sqlite-version = { $version }
found-database = { $path } ({ $bytes })
found-integrity = no damage found
found-keys = set: { $variables }
found-local-servers = answering: { $servers }
found-model = { $model }{ $tried ->
    [answered] {" "}(it answers)
    [no] {" "}(not tried)
   *[other] {""}
}
found-embedder = { $embedder }{ $tried ->
    [no] {" "}(not tried)
   *[other] {" "}({ $dimensions } dimensions)
}
found-clock = { $now }
found-settings = { $path }{ $exists ->
    [true] {""}
   *[other] {" "}(not there; the built-in settings hold)
}
found-prompts = { $path }{ $exists ->
    [true] {""}
   *[other] {" "}(not there; the built-in prompts serve)
}
advice-data-folder = make the folder writable, or name another with --home or QINGYU_HOME
advice-free-space = free some space, or name another folder with --home
advice-sqlite-version = install a current release of qingyu
advice-database = restore the file from a backup, or move it away to begin anew
advice-integrity = restore the database from a backup before going on
advice-keys = give the key of your provider with `qingyu models key PROVIDER`; `qingyu models` lists them
untried-free-space = how much is free is not asked on this system
untried-keys = a key is known to be good once a server has taken it
untried-model = `qingyu doctor` without --local asks its server
advice-local-servers = start Ollama, llama.cpp, LM Studio or vLLM if you want a local model
advice-model = the offline assistant serves until a key or a local server is there
advice-embedder = set `embeddings.embedder`; "lexical" needs nothing
advice-clock = set the clock of this machine
advice-settings = mend the settings file; `qingyu config path` says where it is
advice-prompts = mend or remove your own prompt files

## Failures

error-requirement-empty = there is no requirement
hint-requirement-empty = say in a sentence what to write: qingyu create "A locked-room mystery on a generation ship"
error-requirement-too-long = the requirement has { $bytes }; at most { $limit } bytes are taken
hint-requirement-too-long = give the idea in short, and bring in long material as a project
error-requirement-control = the requirement holds a control character (code { $code_point }) at character { $position }
hint-requirement-control = give plain text; this looks like binary data
error-unknown-project = there is no project { $given }
hint-unknown-project = `qingyu projects` lists them
error-unknown-run = there is no run { $given }
hint-unknown-run = `qingyu runs` lists them
error-ambiguous = { $given } is the beginning of several: { $matches }
hint-ambiguous = give more of it
error-nothing-to-resume = run { $run } is done; there is nothing to go on with
hint-nothing-to-resume = to go on with its story: qingyu create --project { $project } "…"
error-not-waiting = run { $run } does not wait for an answer
hint-not-waiting = go on with it without an answer: qingyu resume { $run }
error-question-changed = run { $run } asks something else by now: nothing was answered
hint-question-changed = look at what it asks: qingyu resume { $run }
error-bad-material = the material does not fit at { $path }: { $message }
hint-bad-material = begin from the document of `qingyu show { $project } --json`
error-thread-busy = another process works on run { $run }
hint-thread-busy = wait until it is done; a dead process frees its run within ten seconds
error-bad-settings = a setting is wrong: { $key } { $message } ({ $origin })
hint-bad-settings = `qingyu config path` says where the settings file is
hint-bad-settings-flag = give another value with --set, or leave it out
hint-bad-settings-environment = set the variable to another value, or unset it
origin-flag = given with this command
origin-run = given when run { $run } began
error-unknown-model = there is no model { $model }
hint-unknown-model = name it as PROVIDER/MODEL; providers: { $providers }
error-no-key = { $model } needs a key
hint-no-key = give it with `qingyu models key { $provider }`, set { $variable }, or choose another model with --model; --model offline-rules-1 needs none
error-budget = the budget is used up: { $message }
hint-budget = raise it in the settings, then resume the run
error-budget-figures = the budget { $setting } is used up: { $spent } of { $limit } { $unit } spent, { $set_aside } set aside, about { $asked } asked by the next call
placeholder-project = PROJECT
placeholder-run = RUN
hint-budget-figures = nothing that was paid is lost; go on with `qingyu resume { $run } --set { $setting }={ $suggested }`
error-no-cassette = run { $run } was not recorded, or its recording was too old to be kept
hint-no-cassette = runs are recorded while cassettes.record is true in the settings
error-bad-cassette = { $path } cannot be played: { $message }
error-bad-model-file = { $path } cannot be served: { $message }
hint-bad-model-file = name a GGUF file that is there, such as --model file:/models/writer.gguf
error-no-model-server = { $program } is not installed, or not on the PATH
hint-no-model-server = it comes with llama.cpp (brew install llama.cpp, winget install llama.cpp, or your distribution's package); Ollama, LM Studio and vLLM are found without a file
error-not-recorded = nothing is recorded for { $purpose }: { $difference }
hint-not-recorded = `--model` names a model that is asked for what was not recorded
error-provider-refused = { $model } refuses the key ({ $status }): { $message }
hint-provider-refused = check the key and what it may use
error-model-not-served = { $provider } has no model { $model } for this key{ $listed ->
    [no] {"."} It does not list what it has.
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
hint-content-refused = change the passage that it may mean, or name another model
error-empty-answer = { $model } answered nothing{ $thought ->
    [yes] {" "}but its thinking
   *[no] {""}
}, twice
hint-empty-answer = raise limits.answer_tokens if it is set, or name another model or a fallback
error-answer-cut = the answer broke off after { $characters } characters
hint-answer-cut = check the network and what stands between you and the provider, then resume the run
hint-model-not-served = name one of its models in the settings or with --model
error-no-credit = the account behind the key of { $model } is used up: { $message }
hint-no-credit = pay into the account at the provider or name another model, then resume the run
error-provider-busy = { $model } is busy: { $message }
hint-provider-busy = wait, then resume the run
error-provider = { $model } failed: { $message }
hint-provider = resume the run later, or with another model
error-prompt-too-long = the prompt does not fit into the context of { $model }: { $message }
hint-prompt-too-long = take a model with a larger context, or add --no-workspace-context to show the agents less; a server on this machine can be given a larger context
error-provider-unreachable = { $model } cannot be reached: { $message }
hint-provider-unreachable = check the network and the address, then resume the run
error-bad-output = the model's answer for { $purpose } did not fit after { $attempts } attempts: { $problems }
hint-bad-output = a stronger model may help: --model
error-unsupported = { $model } cannot do { $purpose }: { $hint }
hint-unsupported = choose a language model; `qingyu models` shows how
error-disk-full = no space is left for { $path }
hint-disk-full = free some space, then resume the run
error-read-only = { $path } cannot be written: { $message }
hint-read-only = make it writable, or name another folder with --home
error-corrupt = { $path } is damaged: { $message }
hint-corrupt = restore it from a backup, or move it away to begin anew
error-request-at-work = the request is carried out already
hint-request-at-work = ask again in a moment for its answer
error-request-interrupted = the request was carried out, in full or in part, and then its server died; what it made is in { $project }
hint-request-interrupted = look what is there, `qingyu log { $project }`; what is missing is asked for under another key
error-overloaded = { $most } runs work on the server, which is as many as may
hint-overloaded = try again in { $retry_after } seconds, or have more run at once: server.runs
error-stopping = the server is about to go
hint-stopping = try again in { $retry_after } seconds
error-database-busy = the database { $path } is busy: another process has been writing to it for too long
hint-database-busy = try again in a moment
error-newer-data = { $path } was written by a newer release
hint-newer-data = use that release
error-storage = the database { $path } failed: { $message }
hint-storage = `qingyu doctor` looks for the cause
error-run-stalled = run { $run } was taken over { $times } times without coming further: whoever works on it dies
hint-run-stalled = what it has made is kept: qingyu resume { $run } tries again
error-graph-changed = run { $run } was begun by another release and cannot go on with this one: { $message }
hint-graph-changed = its material is kept: qingyu create --project { $project } goes on with it
error-pipeline = { $node } failed: { $message }
hint-pipeline = resume the run; what was finished is kept
error-parts-failed = { $failed } of { $total } { $total ->
    [one] part
   *[other] parts
  } failed: { $message }
hint-parts-failed = what was done is kept; `qingyu resume { $run }` retries what failed
error-internal = this is a defect: { $message }
hint-internal = please report it with the log of `-vv`
error-unreadable = { $path } cannot be read: { $message }
error-not-text = { $path } is no text in any encoding that was tried
hint-not-text = save it as UTF-8
error-no-manuscripts = { $path } has no manuscripts
hint-no-manuscripts = manuscripts end in .txt, .md, .docx, .odt, .rtf or .epub
error-nothing-to-judge = a model judges one chapter of a project, and { $subject } is none
hint-nothing-to-judge = name the chapter; a file becomes a project by `qingyu import`
error-bad-setting = { $given } is not KEY=VALUE
hint-bad-setting = for example --set pipeline.max_iterations=2
error-bad-autonomy = { $given } is not PHASE=auto or PHASE=wait
hint-bad-autonomy = for example --autonomy research=auto,all=wait
error-not-json = the value of { $path } is data, and what was given is no JSON: { $message }
hint-not-json = its schema and its value: qingyu produce read { $project } { $path } --json
error-unknown-rule = there is no rule { $given }
hint-unknown-rule = `qingyu rules` lists them
error-unknown-graph = there is no graph { $given }
hint-unknown-graph = these exist: { $known }
error-unwritable = { $path } cannot be written: { $message }
error-editor = the editor { $editor } failed: { $message }
hint-editor = set EDITOR
error-no-server-key = Other machines can reach { $address }, and nobody has a key yet.
error-no-tls = Other machines can reach { $address }, and keys would be sent where everybody can read them.
error-bad-webhooks = The setting server.webhooks cannot be used: { $message }
error-bad-traces = Traces cannot be sent: { $message }
error-bad-address = Cannot listen at { $address }: { $message }
hint-no-server-key = Make one first: qingyu keys make
hint-no-tls = Put something before it that ends TLS (docs/deploy.md shows how), and set server.behind_tls = true.
hint-bad-address = Another port: --port N, or --port 0 for any that is free.
serve-ready = Qingyu serves at { $url }
serve-not-opened = No browser could be opened; go there yourself.
serve-stop = Ctrl-C stops it; runs go on when it serves again.
serve-stopping = Coming to the next checkpoints; Ctrl-C again ends at once.
error-signals = the system does not let the command hear Ctrl-C: { $message }
error-output = standard output cannot be written: { $message }
hint-usage = `--help` explains the command

## Wrong arguments

usage-invalid-value = { $argument } does not take “{ $value }” (possible: { $valid })
usage-value-validation = { $argument } does not take “{ $value }”
usage-unknown-argument = there is no argument { $argument }
usage-invalid-subcommand = there is no command { $command }
usage-argument-conflict = { $argument } and { $other } exclude each other
usage-missing-required-argument = something is missing: { $argument }
usage-missing-subcommand = a command is missing
usage-too-few-values = { $argument } needs a value
usage-too-many-values = { $argument } takes no value “{ $value }”
usage-invalid-utf8 = an argument is not UTF-8
usage-did-you-mean = did you mean { $near }?
error-unknown-finding = nothing is found that is called { $given }
hint-unknown-finding = `qingyu check { $project }` shows the ids
error-no-reason = { $finding } may stand only with a reason
hint-no-reason = --reason "why it may stand"
error-unknown-piece = { $given } is no piece of the story, or more than one
hint-unknown-piece = give its id: `qingyu show { $project } provenance` lists them
error-unclear = { $part ->
    [about] nothing in the story is called “{ $given }”
    [predicate] no fact of the story has the predicate “{ $given }”
    [as_of] “{ $given }” is no event, time, chapter or text of the story
   *[other] { $message }
}
hint-unclear = { $part ->
    [as_of] a chapter as chapter:2, “chapter 2”, 第2章 or by its title; an event by its title or id; a time as the story writes it
    [predicate] a predicate is a word such as location or 持有; `qingyu ask-facts { $project }` shows those of the story
   *[other] `qingyu ask-facts { $project }` shows what the story says
}
error-unknown-change = { $project } has no change { $change }; the newest is { $newest }
hint-unknown-change = `qingyu log { $project }` lists them
error-changed-since = change { $change } cannot be taken back: change { $by } has touched { $piece } since
hint-changed-since = take that one back first: qingyu undo { $project } { $by }
error-conflict = { $project } has been changed in the meantime
hint-conflict = look at it again, then repeat the command
error-fix-of-file = a file is not mended in place: { $path }
hint-fix-of-file = make a project of it first: qingyu import-story { $path }
finding-id = Id
finding-waived = let stand by { $owner }: { $reason }
check-clean = The rules find nothing.
check-found = { $total } found: { $severities }
check-fix-how = { $count } of them can be mended for certain: --fix
check-fix-file = { $count } of them can be mended for certain in a project: qingyu import-story FILE
mended-nothing = Nothing could be mended for certain.
mended = { $count } mended, in change { $change }.
left-refused = its remedy does not fit the story
left-harmful = its remedy would do more harm than good
left-gone = it was gone before its turn
left-no-effect = its remedy would not take it away
left-untried = not tried: too many remedies before it did harm
waived = { $finding } stands. { $open } still open.
facts-none = Nothing is said about that.
fact-uncertain = not certain: its beginning is not known
fact-known = Known by
impact-none = Nothing depends on it.
impact-steps = { $steps } steps away
impact-total = { $count } in all.
because-refers-to = refers to
because-mentions = mentions
because-says = holds the sentence that says
because-tells = tells
because-says-the-same = gives another value of the same as
imported = “{ $title }” is project { $project }
unknown-fields = These fields are not known and were left out: { $fields }
log-none = Nothing was done yet.
log-undoes = takes back change { $change }
log-more = { $count } more
mode-lied = lied
mode-retconned = taken back
mode-disguised = in disguise
piece-document = text
piece-fact = fact
piece-promise = promise
piece-waiver = waiver
error-unknown-tool = there is no tool { $name }
hint-unknown-tool = `qingyu tools` lists them
error-bad-arguments = the arguments of { $tool } are no JSON: { $message }
hint-bad-arguments = qingyu tool { $project } { $tool } '{"{"}"action": …{"}"}'
tools-of-server = Tools of the server { $server }
tools-server-missing = The tools of the server { $server } could not be had: { $message }
tools-how = `qingyu tools NAME` shows what one takes; `qingyu tool PROJECT NAME JSON` calls it.
category-of-tools-writing = Writing
category-of-tools-analysis = Checking and measuring
category-of-tools-knowledge = Knowledge
category-of-tools-content = Content
category-of-tools-research = Research
category-of-tools-admin = Installation
category-of-tools-external = Other servers
permission-read = reads
permission-write = changes the project
permission-admin = changes what is outside of projects
error-protocol = the client did not keep to the protocol: { $message }
memories-none = Nothing of the kind is remembered.
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
memory-what-waived = let stand
memory-what-undid = took back
memory-forgotten = Forgotten: { $text }
memories-forgotten = { $count } forgotten.
memory-forget-ask = Forget everything that is remembered of you? [y/N]
error-unknown-prompt = there is no prompt { $given }
error-bad-prompt = the prompt { $name } cannot be used: { $message }
error-unknown-server = the settings name no server of tools { $given }
error-unknown-memory = there is no memory { $given }
hint-unknown-memory = `qingyu memory list` shows the ids
error-bad-memory = this cannot be remembered: { $message } ({ $what })
error-unconfirmed = everything would be forgotten, and nobody can be asked
hint-unconfirmed = qingyu memory forget --all --yes
search-none = Nothing was found. Try other words, or a wider condition.
search-names = Names
search-pattern = Graph query
search-vectors = Vectors
search-reranked = Put in order by
search-fused = fused score { $score }
search-keyword = keywords: rank { $rank } (BM25 { $score }): { $terms }
search-vector = vectors: rank { $rank } (cosine { $score })
search-graph = graph: rank { $rank }
search-quality = quality { $score }: { $because }
passage-suspicious = Mind: a line here speaks to a model; it is taken as data only: { $text }
passage-place = , version { $version }, bytes { $from } to { $to }
ask-working = looking things up and answering
ask-not-held = No answer was found in the material.
ask-sources = Sources
ask-left-out = { $count } more passages did not fit the budget.
ask-by = answered by { $model } · { $tokens } tokens
index-whole = All { $count } passages have vectors of { $embedder }.
index-behind = { $having } of { $count } passages have vectors of { $embedder }; until all have, lexical ones are searched. `qingyu index PROJECT` goes on with it.
graph-left-out = and { $count } more
error-bad-condition = the condition cannot be read: { $condition }: { $message }
hint-bad-condition = conditions look like this: role_type = protagonist and traits contains brave; also in (a, b), in 3..9, or, not, and brackets
error-unknown-kind = there is no kind { $given }
hint-unknown-kind = there are: character, chapter, document, outline_node, event, location, organisation, item, relation, fact, promise, plot_node, world_rule
error-bad-pattern = the graph cannot be asked this: { $pattern }: { $message }
hint-bad-pattern = for example (x:Character)-[:enemy_of]->(a "Ann") return x; times are chapter:30, an event, or a time in the story's words
error-question-empty = nothing is asked
hint-question-empty = give words to look for, or a question
error-question-too-long = the question has { $characters } characters, at most { $limit } are taken
hint-question-too-long = leave only what is asked
search-emphasis = times { $factor } for where it is written

# books brought in and out
import-working = Splitting and saving
import-dry = “{ $title }”: this is what would be done
import-done = “{ $title }” is in project { $project } (change { $change })
import-nothing = All of it is in project { $project } already; nothing was changed
import-unread = No model has read the chapters yet: rules understand little, and find few contradictions.
import-settled = Read by the rules: facts { $facts }, cards { $cards }, questions { $questions }
import-cast = Cast, by who speaks and acts; { $count ->
    [one] this one has
   *[other] these { $count } have
} a card now:
import-cast-unsure = { $count ->
    [one] One more who may belong to it, without a card:
   *[other] { $count } more who may belong to it, without a card:
}
import-cast-one = { $name }: speaks { $speaks }, acts { $acts }
import-encoding = Read as { $encoding }: { $by }
import-bad = { $count } characters make no sense and are shown as �
import-bad-place = line { $line }: { $excerpt }
import-proof = { $proof ->
    [sequences] { $valid } sequences of bytes are valid in it, { $broken } are broken
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
apart-update = update lines
apart-advertisement = advertisements
apart-caption = captions
apart-end = end marks
text-encoding = { $path } was read as { $encoding } ({ $by }); characters that make no sense: { $bad }
import-left-out = not taken over: { $what } ({ $count })
list-more = { $count } more
taken-by-told = as you said
taken-by-mark = its byte order mark says so
taken-by-valid = all bytes are valid in it
taken-by-nearly = nearly all bytes are valid in it; the file is damaged
taken-by-look = by its looks, a guess
extra-pictures = pictures
extra-notes = footnotes
extra-comments = comments
extra-readings = readings beside characters
extra-emphasis = italics, bold and other faces
extra-hidden = hidden text
extra-deletions = deletions under revision
extra-symbols = signs of symbol fonts
chapter-state-new = new
chapter-state-present = there already
chapter-state-replaced = new version
chapter-state-differs = there with another text
coverage = { $total } characters: { $parts }
coverage-text = { $count } in { $chapters ->
    [one] { $chapters } chapter
   *[other] { $chapters } chapters
}
coverage-headings = { $count } in headings
coverage-title = { $count } title and author
coverage-front = { $count } before the first chapter
coverage-apart = { $count } set apart
coverage-contents = { $count } table of contents
coverage-separators = { $count } marks between scenes
coverage-blank = { $count } blank
origin-line = line { $line }
origin-entry = { $name }, paragraph { $paragraph }
manuscript-missing = number { $numbers } is missing before “{ $title }” ({ $place })
manuscript-twice = number { $number } stands there twice: “{ $title }” ({ $place })
manuscript-backwards = number { $number } after { $after }: “{ $title }” ({ $place })
manuscript-one-chapter = The whole manuscript became one chapter of { $characters } characters: no headings were found. Say how they look: --heading PATTERN; or that it is one chapter: --no-split
manuscript-suspect = reads like a heading: { $line }
manuscript-guessed = { $count } chapters by the look of their headings alone, such as “{ $example }”: a guess. --heading PATTERN says how they look; --no-split takes it as one
manuscript-long = “{ $title }” has { $characters } characters, far more than the others: headings in it may have been missed ({ $place })
manuscript-no-text = “{ $title }” has no text ({ $place })
export-working = Writing the book
export-done = “{ $title }”: { $chapters } chapters, { $characters } characters → { $path }
export-empty = “{ $title }” has no text
error-bad-manuscript = { $reason ->
    [unknown_format] the format of the file is not known
    [not_text] the text cannot be read as { $encoding }: { $bad } of { $characters } characters make no sense
    [unknown_encoding] no encoding is called { $encoding }
    [bad_pattern] { $pattern } is no pattern: { $message }
    [no_heading] no line begins with { $pattern }
    [refused] { $place } is refused: { $message }
    [too_large] { $place } has more than { $limit } { $unit }
    [protected] { $place } is protected and cannot be read
    [empty] there is no text in it
   *[other] { $place } is broken: { $message }
}
hint-bad-manuscript = { $reason ->
    [unknown_format] save it as .txt, .md, .docx or .epub; a .doc or .pdf can be saved so by a word processor
    [not_text] name the encoding: --encoding gbk, big5, utf-16le …
    [unknown_encoding] such as utf-8, gbk, gb18030, big5, utf-16le
    [bad_pattern] a pattern is a regular expression, such as "Chapter \d+" or "第.+章"
    [no_heading] look at how a heading stands in the file; marks such as . and ( need a backslash before them
    [refused] no manuscript does this; save it anew with a word processor, or as plain text
    [too_large] split it, or save it as plain text
    [protected] save a copy without password or copy protection
    [empty] pictures of pages have no text; it has to be recognised first
   *[other] get another copy, or save it anew
}
place-the-file = the file
place-the-text = the text
place-the-archive = the archive
message-it-is-no-archive = it is no archive
message-its-list-of-contents-is-missing = its list of contents is missing
message-it-names-no-package = it names no package
message-two-entries-have-the-same-name = two entries have the same name
message-it-is-a-link = it is a link
message-its-name-leads-out-of-the-archive = its name leads out of the archive
message-its-entries-lie-upon-each-other = its entries lie upon each other
message-it-declares-a-document-type-of-its-own = it declares a document type of its own
unit-bytes = bytes
unit-bytes-of-markdown = bytes of Markdown
unit-bytes-in-a-name = bytes in a name
unit-entries = entries
unit-levels = levels
unit-paragraphs = paragraphs
unit-tokens = tokens
error-different-text = { $project } has { $count } of the chapters with another text: { $titles }
hint-different-text = --replace makes new versions of them; --dry-run shows all
error-no-chapters = { $project } has no such chapters; it has { $chapters }
hint-no-chapters = a chapter is a document with a place in the book: qingyu show { $project }
error-file-exists = { $path } is there already
hint-file-exists = name another file with --output, or write over it with --force
error-not-unicode = { $name } is no Unicode text
hint-not-unicode = name a folder whose name is valid UTF-8
error-clock = the clock of this machine stands before 1970
hint-clock = set the clock, and try again
error-not-replaceable = { $path } is not replaced: it is no regular file, or may not be written
hint-not-replaceable = name another file with --output
error-platform-of-text = platforms take plain text only
hint-platform-of-text = --format txt
error-unwritten = it cannot be written: { $message }

# versions and branches
diff-none = Nothing is different.
error-unknown-document = there is no text { $given }
hint-unknown-document = name it by number, title, id or place (#4); `qingyu chapter show { $project }` lists them
error-unknown-version = { $document } has no version { $version }; the newest is { $newest }
hint-unknown-version = `qingyu diff { $project } CHAPTER` lists them
chapters-none = There are no chapters yet
chapters-same-number = Several chapters have the number { $number }: { $chapters }
chapters-changed = Saved as change { $change }; `qingyu undo { $project }` takes it back
error-ambiguous-chapter = “{ $given }” may be several chapters
hint-ambiguous-chapter = name one of these:
    { $choices }
error-bad-chapter-edit = { $reason ->
    [no_title] a chapter needs a title
    [not_once] “{ $given }” must stand in the chapter exactly once, with text before it
    [no_next] no chapter follows “{ $given }”
    [name_taken] there is already a chapter “{ $given }”
   *[other] the chapters cannot be changed so: { $message }
}
hint-bad-chapter-edit = `qingyu chapter show { $project }` lists them
restore-done = “{ $title }” has the text of version { $restored } again, as version { $version }
restore-nothing = “{ $title }” has the text of version { $restored } already
branches-none = There are no branches.
branch-begun = Branch { $name } is project { $project }; it shares the changes up to { $change }
branch-deleted = Branch { $name } is gone
branch-same = Neither side has changed anything.
branch-fates = project: { $project }, branch: { $branch }
branch-fate-same = same
branch-fate-added = added
branch-fate-changed = changed
branch-fate-removed = removed
branch-merged = { $count } pieces were taken from the branch (change { $change })
branch-merged-nothing = There was nothing to take from the branch.
error-project-binned = { $project } is in the bin; nothing is written to it there
hint-project-binned = qingyu project restore { $project }
error-project-not-binned = { $project } is not in the bin; only projects in the bin can be permanently deleted
hint-project-not-binned = qingyu project delete { $project }
error-project-unconfirmed = { $project } would be deleted with its past and its runs, for good
hint-project-unconfirmed = if that is meant, add --yes
error-bad-cover = { $reason ->
    [too_large] the picture has more than 2 MB
   *[format] the picture is neither PNG nor JPEG nor WebP
 }
hint-bad-cover = save it as PNG or JPEG of at most 2 MB
error-unknown-branch = { $project } has no branch { $given }
hint-unknown-branch = qingyu branch { $project } list
error-bad-branch = { $reason ->
    [taken] { $project } has a branch { $name }
   *[other] “{ $name }” cannot be the name of a branch
}
hint-bad-branch = take another name; at most 60 characters
error-branch-conflict = { $branch } and its project have both changed { $pieces }
hint-branch-conflict = say which side is right there: --take project or --take branch
error-no-branch-name = no branch is named
hint-no-branch-name = qingyu branch { $project } list shows them
error-branch-unconfirmed = branch { $name } would be gone with its log, for good
hint-branch-unconfirmed = if that is meant, add --yes
# Chapters that are written.
agent-writer-agent = Writer
agent-chapter-review-agent = Chapter review
agent-settlement-agent = Settlement
agent-writer = Writer
agent-settle = Settlement
chapter-place = ({ $done } of { $of })
chapter-planned = Scenes
chapter-plan-fallback = planned from the outline alone: { $why }
chapter-scene-written = scene { $scene } written, { $words } words so far
chapter-written = written, { $words } words
chapter-fixed = { $fixed } places mended, { $refused } left out because they did not fit
chapter-accepted = ✓ accepted, { $words } words
chapter-forced = ! taken although its review did not pass, { $words } words
chapter-settled = Settled
chapter-settled-counts = { $facts } facts, { $events } events, { $cards } cards, { $promises } promises, { $questions } questions, { $rejected } not believed
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
brief-part-facts = What is so
brief-part-passages = Passages
brief-part-preferences = What the author prefers
brief-part-genre = Genre
brief-part-events = Events
dimension-task = task
dimension-setting = setting
dimension-timeline = timeline
dimension-continuity = continuity
dimension-character = character
dimension-logic = logic
dimension-style = style
question-below-floor = this is below what a chapter must have; keep it all the same?
question-draft-kept = you changed the chapter while it was written; put the draft in its place?
ask-question = y yes · n no · l later · q leave all:
question-unsure = is it so: { $label }?
question-same = is “{ $name }” another name of one who is known? ({ $label })
question-which = who or what is “{ $name }”? ({ $label })
ask-which = a number · n none of them · l later · q leave all:
ask-question-again = y, n, l or q
next-check = check the story with what the chapters say
next-export = the book as a file
next-write = write the chapters that are left
next-questions = answer the questions
next-accept-all = say yes to all of them

# Tasks.
task-confidence = Verified
task-writes = These texts would be changed:
task-more-places = and { $count } more places
task-continue = Go on with the last chapter
task-continue-chapter = Go on with chapter { $chapter }
ask-writes = y write them · n leave them · q decide later:
ask-writes-again = y, n or q
next-write-changes = write the changes
next-leave-texts = leave the texts as they are


# Replays, estimates, spending
run-kind-create = create
run-kind-write = write
replay-asked = asked { $number }: { $purpose } ({ $model })
replay-calls = Calls: { $played } from the recording, { $asked } asked
replay-identical = ✓ Identical: story and document are the same bytes.
replay-not-identical = ✗ Not identical to what the run made.
replay-differs = This is different:
replay-unknown = The recording does not say what the run made.
replay-prompts = Changed prompts
replay-embedder = The run searched with the vectors of { $embedder }; this replay compared letters instead.
replay-unplayed = Recorded, but not asked for
replay-more = … and { $count } more
replay-spent = Spent now
replay-kept = Kept as project { $project }.
piece-action-create = new
piece-action-update = changed
piece-action-delete = gone
column-purpose = Call
column-input = Input
column-cached = Cached
column-output = Output
column-price = Price
column-model = Model
column-currency = Currency
column-date = As of
estimate-asks-nobody = This asks no model and costs nothing.
estimate-chapters = { $count ->
    [one] One chapter
   *[other] { $count } chapters
}
estimate-total = Total
estimate-range = Tokens in all: { $least } if all goes well, { $most } if everything is tried again.
estimate-money = Price: { $least } to { $most }.
estimate-unpriced = Price unknown: { $models }. Put it under [prices] in the settings file.
estimate-how = Figures are what is usual; prompts are measured, answers expected. Good to about a third.
spending-none = Nothing was spent yet.
spending-by-run = Run
spending-by-project = Project
spending-by-chapter = Chapter
spending-by-agent = Agent
spending-by-purpose = Call
spending-by-model = Model
spending-by-day = Day
spending-other = other
spending-chapter = chapter { $chapter }
spending-replayed = { $calls } more calls came from recordings and cost nothing.
spending-today = Today, all together: { $tokens } tokens; { $money }
prices-how = Per million tokens. Change or add one under [prices] in the settings file.
ask-raise = New limit (empty: stop here)
ask-raise-again = A number, please.
figures-length = { $length } words
figures-style = Style
figures-emotion = Emotion
figures-pace = Pace
figures-quality = Quality
figures-sentences = Sentences
figures-paragraphs = Paragraphs
figures-lengths = { $count }, mean { $mean }, median { $median }, spread { $spread }, longest { $longest }
figures-dialogue = Dialogue
figures-spoken = { $share } of the text, { $count } speeches, mean { $mean }
figures-speakers = Speakers
figures-unnamed = { $count } speeches name nobody
figures-polarity = Polarity
figures-intensity = Intensity
figures-polarity-curve = Polarity, along the text
figures-intensity-curve = Intensity, along the text
figures-words = Words of feeling
figures-pace-mean = { $mean } from 0 (slow) to 1 (quick); { $actions } words of action in 1,000
figures-pace-curve = Pace, along the text
figures-sentence-curve = Length of sentences
figures-dialogue-curve = Dialogue
figures-action-curve = Action
figures-readability = Readability
figures-flesch = { $ease }: Flesch { $score }, grade { $grade } ({ $words } words per sentence, { $syllables } syllables per word)
figures-xu = { $ease }: { $score } ({ $clause } characters per clause, { $functions } of the words adverbs and conjunctions)
figures-variety = Variety
figures-variety-words = { $different } different of { $count } words ({ $ratio }), { $moving } in { $window } words, MTLD { $mtld }
figures-variety-pairs = { $different } different of { $count } pairs of characters ({ $ratio }), { $moving } in { $window } pairs, MTLD { $mtld }
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
shown-quickest = where it is quickest
shown-slowest = where it is slowest

review-about = { $length } words, rules of { $platform }, level { $level }
level-loose = loose
level-standard = standard
level-strict = strict
review-words = Words that may be objected to: { $count }
review-advice = Instead
review-copied = Also stands elsewhere: { $share } ({ $copied } of { $length } words)
review-original = Nothing of it stands in the texts it was compared with
review-source = { $share } of this text, { $count } passages, the longest of { $longest } words
review-rules = Rules that are not kept: { $count }
review-more = … and { $count } more
review-total = { $passed } of { $total } texts pass
verdict-clean = ✓ Nothing was found
verdict-passed = ✓ It passes, with remarks
verdict-failed = ✗ It must be mended first
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

stats-totals = { $chapters } chapters, { $length } words, { $chapter } in a chapter, { $sentence } in a sentence, { $dialogue } dialogue
stats-progress = Progress
stats-chapters = chapters { $chapters }
stats-words = words { $words }
stats-none = No chapter has a text yet.
stats-lengths = Lengths of chapters
column-length = Words
column-planned = Planned
column-sentence = Sentence
column-dialogue = Dialogue
column-people = Who
column-name = Name
column-role = Role
column-mentions = Named
column-chapters = Chapters
column-presence = Where
column-speeches = Speeches
column-spoken = Spoken

error-unknown-platform = there are no rules for the platform { $given }
hint-unknown-platform = these are known: { $known }; or give a file of rules ending in .toml
error-no-text = there is no text in { $given }
hint-no-text = `qingyu write` writes chapters; `qingyu stats` shows which have a text

## Chapters edited by hand, and settled again

edit-nothing = “{ $title }” is as it was.
edit-done = “{ $title }” is version { $version } now ({ $length }), in change { $change }.
edit-gone = Gone with their sentences: { $count }
edit-back = Back with their sentences: { $count }
edit-found = Found in the new paragraphs: { $count }
edit-clean = The rules find nothing in this chapter.
edit-findings = { $count } found in this chapter.
settle-kept = Stay though the chapter no longer says so: { $count }
stays-changed = somebody changed it
stays-referred = { $by } refers to it
stays-retold = document { $by } tells it too
settle-unsure = is it so?
settle-same = is “{ $name }” another name of { $of }?
settle-which = “{ $name }” may be any of { $of }
settle-promise = no promise “{ $name }” is open
reconcile-created = New: { $count }
reconcile-changed = Otherwise: { $count }
reconcile-removed = Gone: { $count }
reconcile-questions = To be decided: { $count }
reconcile-done = Saved as change { $change }; `qingyu undo` takes it back.
reconcile-pending = Nothing was changed. { $count } chapters read; --apply saves this.
reconcile-same = { $count } chapters read: the story says what the prose says.

# What a model says on top of an analysis or a review.
judgement-heading = A model's judgement
judgement-none = There is no judgement; what was computed stands.
judgement-figures = Rests on
judgement-suggestions = Suggestions
judgement-no-words = No word was found, so no model was asked.
judgement-no-doubts = No doubt was raised about a word; what was found stands.
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
autonomy-auto = goes on by itself
field-status-empty = empty
field-status-draft = to be confirmed
field-status-confirmed = confirmed
field-status-stale = stale
field-figures = {"  "}v{ $version }, { $length } characters
field-made = v{ $version }
field-kept = was changed meanwhile; what was changed stays
field-path = Path
field-state = Status
field-version = Version
field-maker = Made by
field-depends = Made from
field-dependents = Used in
produce-template = Template
produce-because = because of
produce-nothing-stale = Nothing is stale.
produce-updated = { $path } has version { $version } now.
produce-added = new fields
produce-removed = fields that are gone
produce-stale = stale
produce-missing = without a value
produce-written = Written: { $path }
produce-too-long = The text for { $channel } has { $length } characters; { $limit } may be there.
produce-hint = Type what you want in your own words; /help shows commands, Ctrl-D leaves. Everything is kept.
produce-prompt = you>
produce-left = The production waits for you; nothing is lost. To go on:
next-chat = talk, change, go on
next-read = read a field
next-regenerate = make anew what is stale, and nothing else
next-export-content = write the content as a file
slash-fields = show phases and fields
slash-read = FIELD: show a field
slash-go = confirm the phase and go on
slash-phase = PHASE: go back to a phase
slash-make = FIELD …: make fields anew (else what the phase lacks)
slash-stale = make anew what is stale
slash-research = QUESTION: search and read the web
slash-auto = PHASE: let a phase go on by itself (else all)
slash-wait = PHASE: let a phase wait for you (else all)
slash-quit = leave; the production waits
slash-end = end the run
error-bad-request = The request does not fit at “{ $path }”: { $message }.
error-database-unreachable = The database server { $server } cannot be used: { $message }
error-on-server = The database is on a server, whose own tools copy it.
hint-database-unreachable = See storage.url in the settings (qingyu config), and whether the server runs.
hint-on-server = { $command }
error-forbidden = You may not do this: it needs the right “{ $needed }”.
hint-forbidden = Ask for a key that has it.
error-run-unfinished = Run { $run } was stopped in the middle of its work.
hint-run-unfinished = Go on with it first: qingyu resume { $run }
error-chapter-changed = { $title } has been changed meanwhile: it has version { $found }, not { $expected }.
hint-chapter-changed = Nothing was written. Look at it as it is now, and edit it again.
error-field-conflict = { $path } has been changed meanwhile: it has version { $found }, not { $expected }.
hint-field-conflict = Look at it (qingyu produce read), and try again.
error-production = { $reason ->
    [unknown_field] There is no field { $given }.
    [unknown_phase] There is no phase { $given }.
    [no_production] The project has no phases and fields.
    [misfit] The value does not fit { $given }.
    [pattern] { $given } stands for a list of fields and has no value of its own.
    [empty] { $given } is empty and cannot be confirmed.
    [cycle] Fields are made from each other.
    [unknown_dependency] { $given } is made from something that does not exist.
    [twice] There are two fields { $given }.
    [bad_schema] The schema of { $given } is none: { $message }
    [bad_template] The template { $given } cannot be read: { $message }
    [unknown_template] There is no template { $given }.
    [unknown_channel] There is no channel { $given }.
   *[bad_channel] The text of channel { $given } cannot be made: { $message }
}
hint-production = { $reason ->
    [unknown_field] Similar ones: { $others }
    [unknown_phase] The phases: { $others }
    [no_production] Begin one: qingyu produce new "…"; for a book: qingyu produce simulate { $project }
    [misfit] What is wrong: { $others }
    [pattern] Name one of its items, such as { $given }/1.
    [cycle] The way round: { $others }
    [unknown_dependency] It names { $others }.
    [unknown_template] The templates: { $others }
    [unknown_channel] The channels: { $others }
   *[empty] Look at the fields: qingyu produce fields { $project }
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
user-enabled = let in
user-disabled = kept out since { $since }
keys-none = There are no keys. Make one: qingyu keys make --name editor
key-once = This is the key. It is shown only now and kept nowhere: put it where the program finds it.
key-right-read = may look
key-right-write = may change projects
key-right-admin = may change everything
key-state-active = holds
key-state-expired = expired
key-state-revoked = taken back
key-all-projects = all projects
key-created = made { $at }
key-expires = until { $at }
key-revoked = taken back { $at }
key-used = last used { $at }
key-never-used = never used
limit-requests = { $most } requests a minute
limit-runs = { $most } runs at once
limit-tokens = { $most } tokens a day
limit-money = { $most } a day
audit-none = Nothing has been done yet.
audit-whole = All { $count } entries hold together.
audit-broken = The chain is broken at entry { $number }: it was changed or added, or is missing.
audit-digest = Digest
backup-made = Copied to { $path } ({ $size }).
backup-lacks = The settings, your own prompts and lists, and recordings are files beside the database and not in the copy.
backup-restored = Put back: { $path }
backup-replaced = What was there is kept: { $path }
error-not-in-build = This program was built without { $what }: the build for the demo leaves the server out.
hint-not-in-build = Build the whole: `make studio`, or `cargo install --locked --path crates/qingyu-cli`.
error-only-here = { $what } works only on the machine where the data is, not with --server.
hint-only-here = Run it there, without --server.
error-bad-server = { $url } is no address of a server: { $message }
hint-bad-server = It looks like this: --server https://books.example.org
error-plain-http = The key would be sent to { $url } without encryption
hint-plain-http = Use https://; if the network between is yours alone, add --plain-http
error-server-unreachable = The server { $url } cannot be reached: { $message }
hint-server-unreachable = Check the address, and that the server runs: qingyu serve
error-bad-answer = What { $url } answered is not understood: { $message }
hint-bad-answer = Is that a server of qingyu, and as new as this command?
error-unauthorized = This needs a key that holds.
hint-unauthorized = An admin makes one: qingyu keys make
error-limit = { $limit ->
    [requests_per_minute] This key allows { $most } requests a minute.
    [parallel_runs] This key allows { $most } runs at once.
    [tokens_per_day] This key allows { $most } tokens a day.
   *[money_per_day] This key allows { $most } { $unit } a day (calls whose price is not known: { $uncounted }).
}
hint-limit = Try again in { $retry_after } seconds.
error-unknown-user = There is no user { $given }.
hint-unknown-user = They are listed by: qingyu users list
error-bad-user = { $reason ->
    [taken] There is a user { $given } already.
   *[unfit] “{ $given }” cannot be the id of a user.
}
hint-bad-user = An id has small Latin letters, digits, “.”, “_” and “-”, at most 64.
error-unknown-key = There is no key { $given }.
hint-unknown-key = They are listed by: qingyu keys list
error-bad-key = { $reason ->
    [admin_of_member] A member has no key of an admin.
    [admin_of_projects] A key of an admin is not for single projects.
    [expired] The key would have expired already.
   *[name] The name of a key has at most 100 characters in one line.
}
error-target-exists = { $path } is there already.
hint-target-exists = Name another file.
error-has-data = There is a database already: { $path }
hint-has-data = With --replace it is kept in the folder backups, and the copy takes its place.
