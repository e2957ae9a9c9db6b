//! What is true in a story, what contradicts what, and how chapters become data.

use qingyu_story::bounded::at_most;
use qingyu_story::chapters::{ChapterEdit, ChapterName};
use qingyu_story::impact::Touched;
use qingyu_story::truth::{Answer, Question};
use qingyu_story::{Language, Story};

use super::operations;
use crate::{
    Apply, ChapterList, ChapterText, Checkup, EditedChapter, Mended, Reading, Reconciled, RuleRow, check_story,
};

operations! {
    /// Checks a story with the rules of the checker.
    Read Get "/projects/{project}/check"
    CheckStory as "check_story" {
        /// The project.
        project: String,
        /// Only rules whose codes begin so.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> Checkup
        = |studio, it| studio.check(&it.project, &it.only).await;

    /// What the rules find in a story that is no project.
    Read Post "/stories/check"
    CheckFile as "check_file" {
        /// The story.
        story: Story,
        /// Only these rules, by code or its beginning; all if none is named.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> Checkup
        = |studio, it| check_story(it.story, &studio.checker(None)?, &it.only);

    /// Carries out what findings propose where one way is certain.
    Write Post "/projects/{project}/mend"
    MendStory as "mend_story" {
        /// The project.
        project: String,
        /// Only findings of rules whose codes begin so.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> Mended
        = |studio, it| studio.mend(&it.project, &it.only).await;

    /// Lets a finding be, for a reason.
    Write Post "/projects/{project}/findings/{finding}/waive"
    WaiveFinding as "waive_finding" {
        /// The project.
        project: String,
        /// The finding.
        finding: String,
        /// Why.
        reason: String,
        /// Who says so.
        owner: String,
    } -> Checkup
        = |studio, it| studio.waive(&it.project, &it.finding, &it.reason, &it.owner).await;

    /// What the story says about something, with the sentences that say it.
    Read Post "/projects/{project}/facts"
    AskFacts as "ask_facts" {
        /// The project.
        project: String,
        /// What is asked.
        question: Question,
    } -> Vec<Answer>
        = |studio, it| studio.ask_facts(&it.project, &it.question).await;

    /// What a change of a piece touches.
    Read Get "/projects/{project}/impact"
    ReadImpact as "read_impact" {
        /// The project.
        project: String,
        /// The piece.
        piece: String,
        /// The most that is told.
        #[serde(default)]
        limit: Option<usize>,
    } -> Vec<Touched>
        = |studio, it| studio.impact(&it.project, &it.piece, it.limit).await;

    /// The rules of the checker, with examples.
    Read Get "/rules"
    ListRules as "list_rules" {
        /// The language of their words.
        #[serde(default)]
        language: Language,
    } -> Vec<RuleRow>
        = |studio, it| Ok(studio.rules(it.language));

    /// The chapters of a project in reading order, planned ones among them.
    Read Get "/projects/{project}/chapters"
    ListChapters as "list_chapters" {
        /// The project.
        project: String,
    } -> ChapterList
        = |studio, it| studio.chapters(&it.project).await;

    /// Renames, moves, adds, splits, joins or deletes a chapter: its outline node and its text together, in one change.
    Write Post "/projects/{project}/chapters"
    EditChapters as "edit_chapters" {
        /// The project.
        project: String,
        /// What is to be done.
        edit: ChapterEdit,
    } -> ChapterList
        = |studio, it| studio.edit_chapters(&it.project, &it.edit).await;

    /// The text of a chapter as it stands.
    Read Get "/projects/{project}/chapters/{chapter}/text"
    ReadChapter as "read_chapter" {
        /// The project.
        project: String,
        /// The chapter: the number in its heading, its title, its id, or its place (`#4`).
        chapter: String,
    } -> ChapterText
        = |studio, it| studio.chapter_text(&it.project, &it.chapter).await;

    /// Puts a text in the place of a chapter's; what the story has from it follows.
    Write Put "/projects/{project}/chapters/{chapter}/text"
    EditChapter as "edit_chapter" {
        /// The project.
        project: String,
        /// The chapter: the number in its heading, its title, its id, or its place (`#4`).
        chapter: String,
        /// The new text.
        text: String,
        /// The version that it was written for; whatever is there without it.
        #[serde(default)]
        expected: Option<u32>,
    } -> EditedChapter
        = |studio, it| studio.edit_chapter(&it.project, &it.chapter, &it.text, it.expected).await;

    /// Settles a story again from its prose.
    Write Post "/projects/{project}/reconcile"
    Reconcile as "reconcile" {
        /// The project.
        project: String,
        /// Only these chapters; all without any.
        #[serde(default, deserialize_with = "at_most::<10000, _, _>")]
        #[schemars(length(max = 10000))]
        chapters: Vec<ChapterName>,
        /// How chapters are read.
        reading: Reading,
        /// Whether what was worked out is saved.
        apply: Apply,
    } -> Reconciled
        = |studio, it| studio.reconcile(&it.project, &it.chapters, it.reading, it.apply).await;
}
