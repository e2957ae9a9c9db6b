//! Analysis and review of the chapters of a project without a model.

use qingyu_agents::service::target;
use qingyu_story::{Manuscript, Names, Prose, Story};
use qingyu_text::Statistics;
use qingyu_text::compliance::InspectedChapter;
use qingyu_text::report::Review;

use crate::error::Error;
use crate::studio::Studio;
use crate::texts::examiner::{Examiner, ReviewOptions, ReviewSummary, ReviewedText, TextAnalysis};
use crate::texts::lists;

impl Studio {
    /// Returns an examiner with the lists in the configured folder.
    ///
    /// Returns [`Error::BadSettings`] if a list does not parse.
    pub(crate) fn examiner(&self) -> Result<Examiner, Error> {
        let effective = self.settings().effective(None)?;
        let folder = effective.values.lists.folder.clone().unwrap_or_else(|| self.settings().home().join("lists"));
        lists::examiner(&folder).map_err(|message| effective.bad("lists.folder", message))
    }

    /// Analyses a text outside any project.
    ///
    /// Returns [`Error::BadSettings`] if a list does not parse.
    pub fn analyze_text(&self, title: &str, text: &str) -> Result<TextAnalysis, Error> {
        Ok(self.examiner()?.analyze(title, text))
    }

    /// Reviews a text outside any project. The first line is the title if it looks like a heading.
    ///
    /// Returns [`Error::BadSettings`] if a list does not parse, [`Error::Unknown`] if the platform has no rules, and
    /// [`Error::BadMaterial`] if the given rules do not parse.
    pub fn review_text(&self, name: &str, text: &str, options: &ReviewOptions) -> Result<ReviewSummary, Error> {
        self.examiner()?.review(name, text, options)
    }

    /// Analyses a chapter of a project, by number, title or ID; by default the whole book.
    pub async fn analyze(&self, project: &str, chapter: Option<&str>) -> Result<TextAnalysis, Error> {
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

    /// Reviews a chapter of a project, by number, title or ID; by default all chapters.
    ///
    /// Also finds passages copied from the project's other texts, including notes.
    pub async fn review(
        &self,
        project: &str,
        chapter: Option<&str>,
        options: &ReviewOptions,
    ) -> Result<ReviewSummary, Error> {
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
            let chapter = InspectedChapter { title: Some(&title), text: &text, prose: &Prose::of(&text) };
            let mut review = examiner.look(chapter, options, &library, &[&document])?;
            name_sources(&mut review, &titles);
            reviews.push(ReviewedText { title, document: Some(document), review });
        }
        Ok(ReviewSummary::of(reviews))
    }

    /// Returns the statistics of a project's documents.
    pub async fn statistics(&self, project: &str) -> Result<Statistics, Error> {
        let examiner = self.examiner()?;
        let (_, kept) = self.kept_story(project).await?;
        Ok(Statistics::of(&kept.story, &mut Manuscript::default(), &examiner.meter))
    }
}

/// Returns a chapter with text.
fn chapter_of(story: &Story, given: &str) -> Result<target::TaskTarget, Error> {
    let found = target::find(story, given)?;
    if found.text.trim().is_empty() { Err(Error::NoText { given: given.into() }) } else { Ok(found) }
}

/// Replaces the IDs of the project's own texts by their titles.
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
