//! Texts counted and reviewed without any model: a file, a chapter, a whole project.

mod lists;

use qingyu_agents::service::{Yardstick, target};
use qingyu_story::{Language, Manuscript, Names, Prose, Story};
use qingyu_text::compliance::{Chapter, Inspector, Platform, split_title};
use qingyu_text::figures::{Figures, Material, Meter};
use qingyu_text::report::{Review, ReviewRequest, Reviewer, Verdict};
use qingyu_text::{Level, Library, OriginalityRules, Scanner, Statistics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio};

/// Counts and reviews texts with the lists of the author. Made once, used for any number of texts.
#[derive(Debug, Clone)]
pub struct Examiner {
    meter: Meter,
    reviewer: Reviewer,
    originality: OriginalityRules,
}

/// A text that was counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysed {
    /// What it is called.
    pub title: String,
    /// The id of the document, if it is one chapter of a project.
    pub document: Option<String>,
    /// What was counted. Spans are bytes of the text; of a whole project, whose chapters are joined by an empty line.
    pub figures: Figures,
}

/// A text that was reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// What it is called.
    pub title: String,
    /// The id of the document, if it is a chapter of a project.
    pub document: Option<String>,
    /// What was found. Spans are bytes of the text.
    pub review: Review,
}

/// Texts that were reviewed together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviews {
    /// The worst of the verdicts.
    pub verdict: Verdict,
    /// Each text.
    pub reviews: Vec<Reviewed>,
}

/// How texts are reviewed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewOptions {
    /// How strictly; as the platform does if none is given.
    pub level: Option<Level>,
    /// Whose rules.
    pub platform: PlatformChoice,
    /// Other texts that nothing may be copied from: what they are called, and their words.
    pub against: Vec<(String, String)>,
    /// The language of titles and advice.
    pub language: Language,
}

/// Whose rules a text must keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlatformChoice {
    /// The general ones.
    #[default]
    General,
    /// Those of a platform that is known by this name.
    Named(String),
    /// These, in the shape of a platform's file.
    Rules(String),
}

impl Studio {
    /// What counts and reviews texts, with the lists in the folder of the settings.
    ///
    /// Fails with [`Error::BadSettings`] if one of the lists cannot be read.
    pub fn examiner(&self) -> Result<Examiner, Error> {
        let effective = self.settings().effective(None)?;
        let folder = effective.values.lists.folder.clone().unwrap_or_else(|| self.settings().home().join("lists"));
        lists::examiner(&folder).map_err(|message| effective.bad("lists.folder", message))
    }

    /// Counts a chapter of a project, found by its number, title or id; without one, the whole book.
    pub async fn analyze(&self, project: &str, chapter: Option<&str>) -> Result<Analysed, Error> {
        let examiner = self.examiner()?;
        let (_, kept) = self.kept_story(project).await?;
        let names = Names::of(&kept.story);
        match chapter {
            Some(chapter) => {
                let chapter = chapter_of(&kept.story, chapter)?;
                Ok(examiner.measure(chapter.title, chapter.document, &chapter.text, Some(&names)))
            }
            None => {
                let mut manuscript = Manuscript::default();
                let chapters = manuscript.chapters(&kept.story);
                let texts: Vec<&str> = chapters.iter().map(|chapter| chapter.document.text.trim_end()).collect();
                if texts.iter().all(|text| text.trim().is_empty()) {
                    return Err(Error::NoText { given: project.into() });
                }
                let title = self.find_project(project).await?.title;
                Ok(examiner.measure(title, None, &texts.join("\n\n"), Some(&names)))
            }
        }
    }

    /// Reviews a chapter of a project, found by its number, title or id; without one, all of them.
    ///
    /// Nothing may be copied from the project's other texts, its notes among them.
    pub async fn review(
        &self,
        project: &str,
        chapter: Option<&str>,
        options: &ReviewOptions,
    ) -> Result<Reviews, Error> {
        let examiner = self.examiner()?.with(&options.platform)?;
        let (_, kept) = self.kept_story(project).await?;
        let mut library = examiner.library(&options.against);
        for document in &kept.story.documents {
            library.insert(&document.id, &document.text);
        }
        let titles: Vec<(String, String)> =
            kept.story.documents.iter().map(|document| (document.id.clone(), document.title.clone())).collect();
        let subjects: Vec<(String, String, String)> = match chapter {
            Some(chapter) => {
                let chapter = chapter_of(&kept.story, chapter)?;
                vec![(chapter.document.unwrap_or_default(), chapter.title, chapter.text)]
            }
            None => Manuscript::default()
                .chapters(&kept.story)
                .into_iter()
                .map(|chapter| chapter.document)
                .filter(|document| !document.text.trim().is_empty())
                .map(|document| (document.id.clone(), document.title.clone(), document.text.clone()))
                .collect(),
        };
        if subjects.is_empty() {
            return Err(Error::NoText { given: project.into() });
        }
        let mut reviews = Vec::with_capacity(subjects.len());
        for (document, title, text) in subjects {
            let chapter = Chapter { title: Some(&title), text: &text, prose: &Prose::of(&text) };
            let mut review = examiner.look(chapter, options, &library, &[&document])?;
            name_sources(&mut review, &titles);
            reviews.push(Reviewed { title, document: Some(document), review });
        }
        Ok(Reviews::of(reviews))
    }

    /// Counts over the documents of a project.
    pub async fn statistics(&self, project: &str) -> Result<Statistics, Error> {
        let examiner = self.examiner()?;
        let (_, kept) = self.kept_story(project).await?;
        Ok(Statistics::of(&kept.story, &mut Manuscript::default(), &examiner.meter))
    }
}

impl Examiner {
    /// Counts a text that belongs to no project.
    pub fn analyze(&self, title: &str, text: &str) -> Analysed {
        self.measure(title.to_owned(), None, text, None)
    }

    /// Reviews a text that belongs to no project. Its title is its first line, if that looks like one.
    ///
    /// Fails with [`Error::UnknownPlatform`] if there are no such rules, with [`Error::BadMaterial`] if the rules that
    /// are given cannot be read.
    pub fn review(&self, name: &str, text: &str, options: &ReviewOptions) -> Result<Reviews, Error> {
        let examiner = self.clone().with(&options.platform)?;
        let library = examiner.library(&options.against);
        let (title, body, from) = split_title(text);
        let chapter = Chapter { title, text: body, prose: &Prose::of(body) };
        let mut review = examiner.look(chapter, options, &library, &[])?;
        shift(&mut review, from);
        let title = title.unwrap_or(name).to_owned();
        Ok(Reviews::of(vec![Reviewed { title, document: None, review }]))
    }

    /// What agents count and review by, so that they find what it finds.
    pub(crate) fn yardstick(&self) -> Yardstick {
        let Self { meter, reviewer, originality } = self.clone();
        Yardstick { meter, reviewer, originality }
    }

    fn measure(&self, title: String, document: Option<String>, text: &str, names: Option<&Names>) -> Analysed {
        let prose = Prose::of(text);
        let figures = self.meter.measure(&Material { text, prose: &prose, names, segmenter: None });
        Analysed { title, document, figures }
    }

    fn look(
        &self,
        chapter: Chapter<'_>,
        options: &ReviewOptions,
        library: &Library,
        except: &[&str],
    ) -> Result<Review, Error> {
        let platform = match &options.platform {
            PlatformChoice::General => None,
            PlatformChoice::Named(name) => Some(name.as_str()),
            PlatformChoice::Rules(_) => self.reviewer.inspector().platforms().last().map(|own| own.name.as_str()),
        };
        let (level, language) = (options.level, options.language);
        let request = ReviewRequest { chapter, level, platform, library: Some(library), except, language };
        self.reviewer.review(&request).map_err(failed)
    }

    /// The same with the rules of the user's, if there are any.
    fn with(self, choice: &PlatformChoice) -> Result<Self, Error> {
        let PlatformChoice::Rules(rules) = choice else { return Ok(self) };
        let mut own = Platform::parse(rules).map_err(failed)?;
        if own.name.trim().is_empty() {
            own.name = "own".into();
        }
        let inspector = self.reviewer.inspector().clone().with(own);
        Ok(Self { reviewer: Reviewer::new(self.reviewer.scanner().clone(), inspector), ..self })
    }

    fn library(&self, against: &[(String, String)]) -> Library {
        let mut library = Library::new(self.originality.clone());
        against.iter().for_each(|(name, text)| library.insert(name, text));
        library
    }

    pub(crate) fn of(meter: Meter, scanner: Scanner, inspector: Inspector, originality: OriginalityRules) -> Self {
        Self { meter, reviewer: Reviewer::new(scanner, inspector), originality }
    }
}

impl Reviews {
    fn of(reviews: Vec<Reviewed>) -> Self {
        let verdict = reviews.iter().map(|reviewed| reviewed.review.verdict).max().unwrap_or(Verdict::Clean);
        Self { verdict, reviews }
    }

    /// Whether something was found at or over the threshold of the level.
    pub fn must_be_mended(&self) -> bool {
        self.verdict == Verdict::Failed
    }
}

/// A chapter that has a text.
fn chapter_of(story: &Story, given: &str) -> Result<target::Target, Error> {
    let found = target::find(story, given)?;
    if found.text.trim().is_empty() { Err(Error::NoText { given: given.into() }) } else { Ok(found) }
}

/// Calls the project's own texts by their titles.
fn name_sources(review: &mut Review, titles: &[(String, String)]) {
    let Some(originality) = &mut review.originality else { return };
    let named = originality.passages.iter_mut().map(|passage| &mut passage.source);
    for source in named.chain(originality.sources.iter_mut().map(|source| &mut source.source)) {
        let title = titles.iter().find(|(id, title)| id == source && !title.trim().is_empty());
        if let Some((_, title)) = title {
            source.clone_from(title);
        }
    }
}

/// Moves all places by as much as was taken off the beginning of the text.
fn shift(review: &mut Review, by: usize) {
    let hits = review.sensitive.iter_mut().map(|hit| &mut hit.span);
    let passages = review.originality.iter_mut().flat_map(|found| &mut found.passages).map(|passage| &mut passage.span);
    let findings = review.compliance.iter_mut().filter_map(|finding| finding.span.as_mut());
    for span in hits.chain(passages).chain(findings) {
        *span = span.start + by..span.end + by;
    }
}

fn failed(error: qingyu_text::Error) -> Error {
    match error {
        qingyu_text::Error::UnknownPlatform { given, known } => Error::UnknownPlatform { given, known },
        error => Error::BadMaterial { path: ".".into(), message: error.to_string() },
    }
}
