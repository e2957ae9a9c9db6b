//! A project's story: brought in, checked, mended, asked, and its past.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_agents::context::{Work, WorkMode};
use qingyu_agents::prompts::{Name, WorkPrompt};
use qingyu_store::{Change, ChangeKey, KeptStory, NewProject, Project, Provenance, Save, StoryChange, change};
use qingyu_story::check::{self, Config, Finding};
use qingyu_story::impact::{Touched, impact};
use qingyu_story::settlement::follow_all;
use qingyu_story::truth::{Answer, GroundTruth, Question};
use qingyu_story::{Agent, Basis, RuleCoverage, Story, Waiver, ids, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lessons;
use crate::shelf::new_project;
use crate::studio::project_row;
use crate::{Error, ProjectRow, Studio};

/// Who makes a change by a command.
pub(crate) const PERSON: &str = "person";

/// A story file as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoryFile {
    /// The story.
    pub story: Story,
    /// Fields of the file that stories do not have; they are left out. Such as `characters[0].ege`.
    #[serde(default)]
    pub unknown: Vec<String>,
}

/// A story that has become a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// The project.
    pub project: ProjectRow,
    /// How many pieces of which kind.
    pub pieces: BTreeMap<String, usize>,
    /// Fields of the file that were left out.
    pub unknown: Vec<String>,
}

/// What the rules find in a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checkup {
    /// The version of the project; 0 for a file.
    pub version: u64,
    /// From 0 to 100, of what is told of here; none if nothing was checked.
    pub score: Option<u8>,
    /// What was found, worst first; what is waived comes last.
    pub findings: Vec<Finding>,
    /// What the score rests on: of all rules, whichever are told of here.
    pub basis: Basis,
    /// The ids of the findings that mending with the same rules takes away: those that a mending of a copy took away.
    #[serde(default)]
    pub mendable: Vec<String>,
    /// What was checked.
    #[serde(skip)]
    pub story: Story,
}

impl Checkup {
    /// The findings in the Static Analysis Results Interchange Format.
    pub fn sarif(&self) -> Value {
        check::sarif(&self.findings, &self.story)
    }
}

/// What came of mending a story by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mended {
    /// The change that holds all of it; none if nothing was mended.
    pub change: Option<u64>,
    /// What was mended: the ids of the findings.
    pub mended: Vec<String>,
    /// What was left alone, by the id of the finding, and why: `waived`, `not_certain`, `refused`, `harmful`, `no_effect`,
    /// `gone`, `untried`.
    pub left: BTreeMap<String, String>,
    /// What is found afterwards.
    pub checkup: Checkup,
}

/// A change in the log of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRow {
    /// Its number; also the version of the project from then on.
    pub change: u64,
    /// When.
    pub at: Timestamp,
    /// The agent, or `person`.
    pub agent: String,
    /// What made it: a run, or a command such as `import`.
    pub run: String,
    /// The model.
    pub model: Option<String>,
    /// The tokens of the calls.
    pub tokens: u64,
    /// The change that it took back, if it did.
    pub undoes: Option<u64>,
    /// The pieces that were put in.
    pub put: Vec<PieceName>,
    /// The pieces that were taken out.
    pub removed: Vec<PieceName>,
}

/// A piece in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PieceName {
    /// What kind.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name or title, if it has one.
    pub name: String,
}

/// Reads a story from JSON.
///
/// Fails with [`Error::BadMaterial`] and the path of the value that does not fit.
pub fn read_story(json: &[u8]) -> Result<StoryFile, Error> {
    let bad = |path: String, message: String| Error::BadMaterial { path, message };
    // Editors put a byte order mark before it, and old ones write it in other encodings.
    let text = qingyu_formats::decode(json, None).map_err(|error| bad(".".into(), error.to_string()))?.text;
    let mut unknown = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let story = serde_ignored::deserialize(tracked, |path| unknown.push(path.to_string()));
    let story: Story = story.map_err(|error: serde_json::Error| bad(track.path().to_string(), error.to_string()))?;
    deserializer.end().map_err(|error| bad(".".into(), error.to_string()))?;
    if !unknown.is_empty() && story == Story::default() {
        let message = format!("this is no story: nothing is known of {}", unknown.join(", "));
        return Err(bad(".".into(), message));
    }
    Ok(StoryFile { story, unknown })
}

/// Checks a story with the settings of `config`; only rules whose codes begin like one of `only` are told of, or all if
/// there is none.
///
/// Fails with [`Error::UnknownRule`] if no rule begins so.
pub fn check_story(story: Story, config: &Config, only: &[String]) -> Result<Checkup, Error> {
    let (findings, coverage) = findings(&story, config, only)?;
    let basis = Basis::of_rules(&story, coverage);
    let score = check::score(findings.iter().map(|finding| &finding.issue));
    let score = basis.has_checked().then_some(score);
    let mendable = mended(check::fix(&story, &findings, config).applied);
    Ok(Checkup { version: 0, score, findings, basis, mendable, story })
}

/// The findings that were mended, each once: one may take edits of several texts.
fn mended(applied: Vec<check::Applied>) -> Vec<String> {
    let mut mended: Vec<String> = applied.into_iter().map(|applied| applied.finding).collect();
    mended.dedup();
    mended
}

/// What [`check_story`] reports, and which of all rules could look.
fn findings(story: &Story, config: &Config, only: &[String]) -> Result<(Vec<Finding>, RuleCoverage), Error> {
    for given in only {
        if !rules::all().iter().any(|rule| rules::begins(rule.code, given)) {
            return Err(Error::UnknownRule { given: given.clone() });
        }
    }
    let mut findings = check::findings(story, config);
    let coverage = check::coverage(story, config, &findings);
    if !only.is_empty() {
        let code = |finding: &Finding| finding.issue.code.clone().unwrap_or_default();
        findings.retain(|finding| only.iter().any(|given| rules::begins(&code(finding), given)));
    }
    Ok((findings, coverage))
}

impl Studio {
    /// Makes a project of a story, in one change. Pieces without an id get one.
    pub async fn import(&self, file: StoryFile, title: Option<String>) -> Result<Imported, Error> {
        let StoryFile { mut story, unknown } = file;
        ids::assign(&mut story);
        let bad = |error| self.place("").store(error);
        let now = Timestamp::now();
        let new = new_project(title.as_deref(), &story.premise, story.language);
        let changes = change::difference(&Story::default(), &story);
        let mut pieces = BTreeMap::new();
        changes.iter().for_each(|change| *pieces.entry(change.names().0.name().to_owned()).or_default() += 1);
        let (project, _) =
            self.stories_table().create(new, key("import"), by_hand(), changes, now).await.map_err(bad)?;
        Ok(Imported { project: project_row(project), pieces, unknown })
    }

    /// Makes a project of a story as it stood in another one, with the numbers that were given in ids there.
    pub(crate) async fn bring_in(&self, story: &Story, title: &str) -> Result<Project, Error> {
        let bad = |error| self.place("").store(error);
        let new = NewProject {
            title: title.into(),
            language: story.language,
            premise: story.premise.clone(),
            untitled: false,
        };
        let changes = change::difference(&Story::default(), story);
        let created = self.stories_table().create(new, key("replay"), by_hand(), changes, Timestamp::now()).await;
        let (project, _) = created.map_err(bad)?;
        self.projects_table().note_ids(&project.id, &story.last_ids).await.map_err(bad)?;
        self.projects_table().get(&project.id).await.map_err(bad)
    }

    /// Checks the story of a project, named as for [`show`](Self::show); `only` as for [`check_story`].
    pub async fn check(&self, project: &str, only: &[String]) -> Result<Checkup, Error> {
        let (id, kept) = self.kept_story(project).await?;
        Ok(Checkup { version: kept.version, ..check_story(kept.story, &self.checker(Some(&id))?, only)? })
    }

    /// How the checker is set: for a project, or where none is named.
    pub fn checker(&self, project: Option<&str>) -> Result<Config, Error> {
        Ok(self.settings().values(project)?.checker)
    }

    /// Carries out the remedies that are certain, in one change, which can be taken back.
    pub async fn mend(&self, project: &str, only: &[String]) -> Result<Mended, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id))?;
        let (wanted, _) = findings(&kept.story, &config, only)?;
        let mut fixes = check::fix(&kept.story, &wanted, &config);
        follow_all(&kept.story, &mut fixes.story);
        let version = self.put(&id, "check --fix", &kept, &fixes.story).await?;
        let checkup = check_story(fixes.story, &config, only)?;
        Ok(Mended {
            change: (version > kept.version).then_some(version),
            mended: mended(fixes.applied),
            left: fixes.skipped.iter().map(|(finding, skip)| (finding.clone(), skip.name().to_owned())).collect(),
            checkup: Checkup { version, ..checkup },
        })
    }

    /// Lets a finding of a project stand, by its id, or all findings of a rule, by its code.
    ///
    /// Fails with [`Error::UnknownFinding`] if nothing of that name is found, with [`Error::NoReason`] without a reason.
    pub async fn waive(&self, project: &str, finding: &str, reason: &str, owner: &str) -> Result<Checkup, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id))?;
        if reason.trim().is_empty() {
            return Err(Error::NoReason { finding: finding.into() });
        }
        let date = Timestamp::now().strftime("%Y-%m-%d").to_string();
        let waiver = Waiver {
            finding: finding.trim().into(),
            piece: None,
            reason: reason.trim().into(),
            owner: owner.into(),
            date,
        };
        let found = check::findings(&kept.story, &config);
        let covered = found.iter().find(|finding| waiver.covers(&finding.issue));
        let covered = covered.ok_or_else(|| Error::UnknownFinding { given: finding.into() })?;
        let lesson = lessons::of_waiver(&id, &waiver, &covered.issue, kept.story.language, Timestamp::now());
        let mut story = kept.story.clone();
        story.waivers.push(waiver);
        let version = self.put(&id, "waive", &kept, &story).await?;
        self.learn_in(&id, lesson.into_iter().collect()).await;
        Ok(Checkup { version, ..check_story(story, &config, &[])? })
    }

    /// What is so in the story of a project, as of when, who knows it, and which sentence says so.
    pub async fn ask_facts(&self, project: &str, question: &Question) -> Result<Vec<Answer>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        GroundTruth::of(&kept.story).ask(question).map_err(|unclear| {
            let (part, given) = unclear.part();
            Error::Unclear { part: part.into(), given: given.into(), message: unclear.to_string() }
        })
    }

    /// What a change of a piece of a project would touch, at most `limit` steps away.
    pub async fn impact(&self, project: &str, piece: &str, limit: Option<usize>) -> Result<Vec<Touched>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        impact(&kept.story, piece, limit).ok_or_else(|| Error::UnknownPiece { given: piece.into() })
    }

    /// The log of a project's story, oldest first.
    pub async fn changes(&self, project: &str) -> Result<Vec<ChangeRow>, Error> {
        let id = self.find_project(project).await?.id;
        let log = self.stories_table().changes(&id).await.map_err(|error| self.place("").store(error))?;
        Ok(log.into_iter().map(change_row).collect())
    }

    /// The story of a project as it was after a change; as it is now without one.
    pub async fn story_at(&self, project: &str, change: Option<u64>) -> Result<Story, Error> {
        let id = self.find_project(project).await?.id;
        let kept = match change {
            Some(change) => self.stories_table().at(&id, change).await,
            None => self.stories_table().load(&id).await,
        };
        Ok(kept.map_err(|error| self.place("").store(error))?.story)
    }

    /// Takes a change back, the newest if none is named; returns the change that did it.
    ///
    /// Fails with [`Error::ChangedSince`] if a later change has touched the same pieces.
    pub async fn undo(&self, project: &str, change: Option<u64>) -> Result<ChangeRow, Error> {
        let found = self.find_project(project).await?;
        let bad = |error| self.place("").store(error);
        let stories = self.stories_table();
        let undone = change.unwrap_or(found.version);
        stories.undo(&found.id, undone, by_hand(), Timestamp::now()).await.map_err(bad)?;
        let mut log = stories.changes(&found.id).await.map_err(bad)?;
        if let Some(taken_back) = log.iter().find(|entry| entry.seq == undone) {
            let lessons = lessons::of_undo(&found.id, taken_back, found.language, Timestamp::now());
            self.learn_in(&found.id, lessons).await;
        }
        let newest = log.pop();
        newest.map(change_row).ok_or_else(|| Error::Internal { message: "the change was not logged".into() })
    }

    /// What an agent is told when it is to make its part of `story` for the first time, for people and models elsewhere.
    pub fn prompt(&self, agent: Agent, requirement: &str, task: &str, story: &Story) -> Result<String, Error> {
        let effective = self.settings().effective(None)?;
        let prompts = self.prompts(&effective)?;
        let language = story.language;
        let (requirement, task) = (requirement.to_owned(), task.to_owned());
        let work = Work { requirement, task, language, story: story.clone(), ..Work::default() };
        let system = prompts.render(Name::system(agent), language, &());
        let asked = prompts.render(Name::work(agent, WorkMode::Generate), language, &WorkPrompt::new(agent, &work));
        let bad = |error: qingyu_agents::Error| effective.bad("prompts.folder", error.to_string());
        Ok(format!("{}\n\n{}", system.map_err(bad)?, asked.map_err(bad)?))
    }

    pub(crate) async fn kept_story(&self, project: &str) -> Result<(String, KeptStory), Error> {
        let id = self.find_project(project).await?.id;
        let kept = self.stories_table().load(&id).await.map_err(|error| self.place("").store(error))?;
        Ok((id, kept))
    }

    /// Saves what turns the kept story into `after`, if anything does; returns the version from then on.
    ///
    /// Fails with [`Error::Conflict`] if somebody has changed the project since.
    pub(crate) async fn put(&self, project: &str, what: &str, kept: &KeptStory, after: &Story) -> Result<u64, Error> {
        let changes = change::difference(&kept.story, after);
        if changes.is_empty() {
            return Ok(kept.version);
        }
        let key = ChangeKey { iteration: u32::try_from(kept.version).unwrap_or(u32::MAX), ..key(what) };
        let save = Save { project: project.into(), key, provenance: by_hand(), expected: Some(kept.version), changes };
        let saved = self.stories_table().save(save, Timestamp::now()).await;
        match saved.map_err(|error| self.place("").store(error))? {
            saved if saved.fresh => Ok(saved.version),
            // Somebody else has saved the same kind of change over the same version: this one is not kept.
            _ => Err(Error::Conflict { project: project.into() }),
        }
    }
}

fn key(what: &str) -> ChangeKey {
    ChangeKey { run: what.into(), step: String::new(), iteration: 0 }
}

fn by_hand() -> Provenance {
    Provenance { agent: PERSON.into(), ..Provenance::default() }
}

fn change_row(entry: StoryChange) -> ChangeRow {
    let undoes = entry.undoes();
    let StoryChange { seq, key, provenance, at, changes } = entry;
    let (mut put, mut removed) = (Vec::new(), Vec::new());
    for change in changes {
        let (kind, id) = change.names();
        let named = PieceName { kind: kind.name().into(), id: id.into(), name: String::new() };
        match change {
            Change::Put(piece) => put.push(PieceName { name: piece.name(), ..named }),
            Change::Remove { .. } => removed.push(named),
        }
    }
    ChangeRow {
        change: seq,
        at,
        agent: provenance.agent,
        run: key.run,
        model: provenance.model,
        tokens: provenance.tokens,
        undoes,
        put,
        removed,
    }
}
