//! Facts and contradictions of a story, and chapters.

use qingyu_story::bounded::at_most;
use qingyu_story::chapters::{ChapterEdit, ChapterName};
use qingyu_story::genre::Genre;
use qingyu_story::impact::Touched;
use qingyu_story::truth::{Answer, CharacterPanel, Question};
use qingyu_story::{Language, Story};

use crate::chapters::comments::{CommentChange, CommentList, CommentRequest};
use crate::chapters::edit::{ChapterText, EditedChapter};
use crate::chapters::list::ChapterList;
use crate::chapters::reconcile::{ApplyMode, ReadingMode, StoryReconciliation};
use crate::operations::operation::operations;
use crate::stories::check::{StoryCheck, StoryFixes, check_story};
use crate::stories::genres::{GenreRow, LadderList};
use crate::stories::rules::RuleRow;
use crate::stories::series::{EarlierRequest, EarlierRow};

operations! {
    /// Checks a story with the rules of the checker.
    Read Get "/projects/{project}/check"
    CheckStory as "check_story" {
        /// The project.
        project: String,
        /// Restricts to rules with the code prefixes, and to findings with the IDs.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> StoryCheck
        = |studio, it| studio.check(&it.project, &it.only).await;

    /// Checks a story outside any project.
    Read Post "/stories/check"
    CheckFile as "check_file" {
        /// The story.
        story: Story,
        /// Restricts to rules with the codes or code prefixes; all rules by default.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> StoryCheck
        = |studio, it| check_story(it.story, &studio.checker(None).await?, &it.only);

    /// Returns the books before a project in its series, and its canon, in order. The checker holds the project against
    /// their ends, and agents are told of them.
    Read Get "/projects/{project}/series"
    ReadSeries as "read_series" {
        /// The project.
        project: String,
    } -> Vec<EarlierRow>
        = |studio, it| studio.series(&it.project).await;

    /// Replaces the books before a project in its series, and its canon.
    Write Put "/projects/{project}/series"
    SetSeries as "set_series" {
        /// The project.
        project: String,
        /// The books, in order.
        books: Vec<EarlierRequest>,
        /// The projects of the list as it was read; if it is another by now, the call fails. Not compared by default.
        #[serde(default)]
        expected: Option<Vec<String>>,
    } -> Vec<EarlierRow>
        = |studio, it| studio.set_series(&it.project, it.books, it.expected.as_deref()).await;

    /// Applies the proposed fixes of findings with a single certain fix.
    Write Post "/projects/{project}/mend"
    MendStory as "mend_story" {
        /// The project.
        project: String,
        /// Restricts to findings of rules with the code prefixes, or with the IDs: for those the plan follows the text.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        only: Vec<String>,
    } -> StoryFixes
        = |studio, it| studio.mend(&it.project, &it.only).await;

    /// Waives a finding, with a reason.
    Write Post "/projects/{project}/findings/{finding}/waive"
    WaiveFinding as "waive_finding" {
        /// The project.
        project: String,
        /// The finding.
        finding: String,
        /// The reason.
        reason: String,
        /// The person waiving the finding.
        owner: String,
        /// The chapter with which the waiver ends, by number, title or ID; without one it holds for good.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
    } -> StoryCheck
        = |studio, it| studio.waive(&it.project, &it.finding, &it.reason, &it.owner, it.until.as_deref()).await;

    /// Returns facts of the story, with the sentences stating them.
    Read Post "/projects/{project}/facts"
    AskFacts as "ask_facts" {
        /// The project.
        project: String,
        /// The question.
        question: Question,
    } -> Vec<Answer>
        = |studio, it| studio.ask_facts(&it.project, &it.question).await;

    /// Returns what the characters have in numbers and steps of ladders, with the sentences that say so.
    Read Get "/projects/{project}/panels"
    ReadPanels as "read_panels" {
        /// The project.
        project: String,
        /// A single character; all characters by default.
        #[serde(default)]
        who: Option<String>,
        /// The point in time: an event, a time in the story's words, or a chapter, meaning its end; the newest by default.
        #[serde(default)]
        at: Option<String>,
    } -> Vec<CharacterPanel>
        = |studio, it| studio.panels(&it.project, it.who.as_deref(), it.at.as_deref()).await;

    /// Returns the pieces affected by a change of a piece.
    Read Get "/projects/{project}/impact"
    ReadImpact as "read_impact" {
        /// The project.
        project: String,
        /// The piece.
        piece: String,
        /// The maximum distance in steps.
        #[serde(default)]
        limit: Option<usize>,
    } -> Vec<Touched>
        = |studio, it| studio.impact(&it.project, &it.piece, it.limit).await;

    /// Returns the rules of the checker, with examples.
    Read Get "/rules"
    ListRules as "list_rules" {
        /// The language of the descriptions.
        #[serde(default)]
        language: Language,
    } -> Vec<RuleRow>
        = |studio, it| Ok(studio.rules(it.language));

    /// Returns the genres of books: what their readers expect, with the author's own.
    Read Get "/genres"
    ListGenres as "list_genres" {
        /// The language of the books; all by default.
        #[serde(default)]
        language: Option<Language>,
    } -> Vec<GenreRow>
        = |studio, it| studio.genres(it.language);

    /// Saves a genre as a file of the author, which all users of this server share.
    Admin Put "/genres/{genre}"
    SaveGenre as "save_genre" {
        /// The name of the file: letters, digits and hyphens, at most 40.
        genre: String,
        /// The genre; its ID is the name of the file.
        content: Genre,
        /// Whether to replace a genre of this name; it is refused by default.
        #[serde(default)]
        replace: bool,
    } -> GenreRow
        = |studio, it| studio.save_genre(&it.genre, &it.content, it.replace);

    /// Adds the ladders of a genre that a project does not have, in a single change.
    Write Post "/projects/{project}/genre-ladders"
    TakeLadders as "take_ladders" {
        /// The project.
        project: String,
        /// The genre, by ID or name.
        genre: String,
    } -> LadderList
        = |studio, it| studio.take_ladders(&it.project, &it.genre).await;

    /// Returns the chapters of a project in reading order, including planned chapters.
    Read Get "/projects/{project}/chapters"
    ListChapters as "list_chapters" {
        /// The project.
        project: String,
    } -> ChapterList
        = |studio, it| studio.chapters(&it.project).await;

    /// Renames, moves, inserts, splits, joins or deletes a chapter: its outline node and its text together, in a single
    /// change.
    Write Post "/projects/{project}/chapters"
    EditChapters as "edit_chapters" {
        /// The project.
        project: String,
        /// The edit.
        edit: ChapterEdit,
    } -> ChapterList
        = |studio, it| studio.edit_chapters(&it.project, &it.edit).await;

    /// Returns the current text of a chapter.
    Read Get "/projects/{project}/chapters/{chapter}/text"
    ReadChapter as "read_chapter" {
        /// The project.
        project: String,
        /// The chapter: the number in its heading, its title, its ID, or its position (`#4`).
        chapter: String,
    } -> ChapterText
        = |studio, it| studio.chapter_text(&it.project, &it.chapter).await;

    /// Replaces the text of a chapter, and updates the pieces settled from the text.
    Write Put "/projects/{project}/chapters/{chapter}/text"
    EditChapter as "edit_chapter" {
        /// The project.
        project: String,
        /// The chapter: the number in its heading, its title, its ID, or its position (`#4`).
        chapter: String,
        /// The new text.
        text: String,
        /// The expected current version; not checked by default.
        #[serde(default)]
        expected: Option<u32>,
    } -> EditedChapter
        = |studio, it| studio.edit_chapter(&it.project, &it.chapter, &it.text, it.expected).await;

    /// Returns the comments on words of a project's chapters, or of a single chapter.
    Read Get "/projects/{project}/comments"
    ListComments as "list_comments" {
        /// The project.
        project: String,
        /// A single chapter; all chapters by default.
        #[serde(default)]
        chapter: Option<String>,
    } -> CommentList
        = |studio, it| studio.comments(&it.project, it.chapter.as_deref()).await;

    /// Adds a comment on words of a chapter, or suggests other words; returns the comments of the chapter.
    Comment Post "/projects/{project}/comments"
    AddComment as "add_comment" {
        /// The project.
        project: String,
        /// The comment.
        comment: CommentRequest,
    } -> CommentList
        = |studio, it| studio.add_comment(&it.project, &it.comment).await;

    /// Replies to a comment, resolves, reopens or accepts it; returns the comments of the chapter.
    Comment Patch "/projects/{project}/comments/{comment}"
    ChangeComment as "change_comment" {
        /// The project.
        project: String,
        /// The comment.
        comment: String,
        /// The change.
        change: CommentChange,
    } -> CommentList
        = |studio, it| studio.change_comment(&it.project, &it.comment, &it.change).await;

    /// Deletes a comment with its replies; returns the remaining comments of the chapter.
    Write Delete "/projects/{project}/comments/{comment}"
    DeleteComment as "delete_comment" {
        /// The project.
        project: String,
        /// The comment.
        comment: String,
    } -> CommentList
        = |studio, it| studio.delete_comment(&it.project, &it.comment).await;

    /// Reconciles a story with its prose.
    Write Post "/projects/{project}/reconcile"
    Reconcile as "reconcile" {
        /// The project.
        project: String,
        /// Restricts to chapters; all chapters by default.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
        /// The method of reading chapters.
        reading: ReadingMode,
        /// Whether to save the changes.
        apply: ApplyMode,
    } -> StoryReconciliation
        = |studio, it| studio.reconcile(&it.project, &it.chapters, it.reading, it.apply).await;
}
