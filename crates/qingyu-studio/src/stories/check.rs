//! Checks and fixes of stories.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::chapters::{Chapters, heading};
use qingyu_story::check::{Config, Finding};
use qingyu_story::settlement::{follow_all, mark_unsupported};
use qingyu_story::{Basis, EarlierBooks, RuleCoverage, Story, Waiver, check, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Noun};
use crate::memories::lessons;
use crate::stories::genres;
use crate::stories::series::EarlierRow;
use crate::studio::Studio;

/// The results of the rules for a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryCheck {
    /// The version of the project; 0 for a file.
    pub version: u64,
    /// The score from 0 to 100 over the reported rules; `None` if nothing was checked.
    pub score: Option<u8>,
    /// The findings, worst first, waived findings last.
    pub findings: Vec<Finding>,
    /// The basis of the score: all rules, reported or not.
    pub basis: Basis,
    /// The IDs of the findings removed by an automatic fix with the same rules, verified on a copy.
    #[serde(default)]
    pub mendable: Vec<String>,
    /// The books before the project, against which its story was checked, except missing books; empty after a fix or a
    /// waiver.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierRow>,
    /// The checked story.
    #[serde(skip)]
    pub story: Story,
}

impl StoryCheck {
    /// Returns the findings in the Static Analysis Results Interchange Format.
    pub fn sarif(&self) -> Value {
        check::sarif(&self.findings, &self.story)
    }
}

/// The result of an automatic fix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoryFixes {
    /// The number of the change; `None` if nothing was fixed.
    pub change: Option<u64>,
    /// The IDs of the fixed findings.
    pub mended: Vec<String>,
    /// The pieces that the fixes removed from the story, each in a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// The fields that the fixes changed, a line each: the piece, the field, the value before and after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The unfixed findings, by ID, with the reason: `waived`, `not_certain`, `refused`, `harmful`, `no_effect`,
    /// `gone`, `untried`.
    pub left: BTreeMap<String, String>,
    /// The findings after the fix.
    pub checkup: StoryCheck,
}

/// Checks a story with the settings of `config`; reports only rules with a code prefix in `only`, and the findings with an ID
/// in `only`, or everything if empty.
///
/// Returns [`Error::Unknown`] if no rule has the prefix, or the code of the ID.
pub fn check_story(story: Story, config: &Config, only: &[String]) -> Result<StoryCheck, Error> {
    let (findings, coverage) = findings(&story, config, only)?;
    let basis = Basis::of_rules(&story, coverage);
    let score = check::score(findings.iter().map(|finding| &finding.issue));
    let score = basis.has_checked().then_some(score);
    let mendable = mended(check::fix(&story, &findings, config).applied);
    Ok(StoryCheck { version: 0, score, findings, basis, mendable, earlier: Vec::new(), story })
}

/// Returns the fixed findings without duplicates: a fix may edit several texts.
fn mended(applied: Vec<check::AppliedFix>) -> Vec<String> {
    let mut mended: Vec<String> = applied.into_iter().map(|applied| applied.finding).collect();
    mended.dedup();
    mended
}

/// Returns the findings for [`check_story`], and the coverage of all rules.
fn findings(story: &Story, config: &Config, only: &[String]) -> Result<(Vec<Finding>, RuleCoverage), Error> {
    for given in only {
        let is_known = match given.split_once('-') {
            Some((code, _)) => rules::rule(code).is_some(),
            None => rules::all().iter().any(|rule| rules::begins(rule.code, given)),
        };
        if !is_known {
            return Err(Error::unknown(Noun::Rule, given));
        }
    }
    let mut findings = check::findings(story, config);
    let coverage = check::coverage(story, config, &findings);
    if !only.is_empty() {
        findings.retain(|finding| {
            let code = finding.issue.code.as_deref().unwrap_or_default();
            let is_it = |given: &str| given.trim().eq_ignore_ascii_case(&finding.issue.id);
            only.iter().any(|given| rules::begins(code, given) || is_it(given))
        });
    }
    Ok((findings, coverage))
}

/// Returns the name of the chapter with which a waiver ends.
fn due(story: &Story, given: &str) -> Result<String, Error> {
    let given = given.trim();
    let is_known = !Chapters::of(story).find(given).is_empty() || heading(given).is_some();
    match is_known {
        true => Ok(given.to_owned()),
        false => Err(Error::BadRequest { path: "until".into(), message: format!("{given}: no such chapter") }),
    }
}

impl Studio {
    /// Checks the story of a project, named as for [`show`](Self::show); `only` as for [`check_story`].
    pub async fn check(&self, project: &str, only: &[String]) -> Result<StoryCheck, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let (config, earlier) = (self.checker(Some(&id)).await?, self.series(&id).await?);
        Ok(StoryCheck { version: kept.version, earlier, ..check_story(kept.story, &config, only)? })
    }

    /// Returns the checker's configuration for the project with the ID, or the default configuration, with the author's own
    /// genres and the earlier books.
    ///
    /// Returns [`Error::BadSettings`] if the settings or the file of a genre are invalid.
    pub async fn checker(&self, project: Option<&str>) -> Result<Config, Error> {
        let effective = self.settings().effective(project)?;
        let genres = genres::known(self.settings(), &effective)?;
        let earlier = match project {
            Some(project) => self.earlier_books(project).await?.0,
            None => EarlierBooks::default(),
        };
        Ok(Config { genres, earlier, ..effective.values.checker.clone() })
    }

    /// Applies all certain fixes in a single change, revertible by undo. Where a text tells a planned event otherwise, the
    /// plan follows the text if `only` has the ID of the finding.
    pub async fn mend(&self, project: &str, only: &[String]) -> Result<StoryFixes, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id)).await?;
        let (wanted, _) = findings(&kept.story, &config, only)?;
        let mut fixes = check::fix_chosen(&kept.story, &wanted, only, &config);
        follow_all(&kept.story, &mut fixes.story);
        mark_unsupported(&kept.story, &mut fixes.story);
        let (removed, changed) = (fixes.removed(), fixes.changed());
        let version = self.put(&id, "check --fix", &kept, &fixes.story).await?;
        let left = fixes.left().map(|(finding, reason)| (finding.to_owned(), reason.to_owned())).collect();
        let checkup = check_story(fixes.story, &config, only)?;
        Ok(StoryFixes {
            change: (version > kept.version).then_some(version),
            mended: mended(fixes.applied),
            removed,
            changed,
            left,
            checkup: StoryCheck { version, ..checkup },
        })
    }

    /// Waives a finding of a project, by ID, or all findings of a rule, by code: for good, or until the chapter `until` is
    /// written, by number, title or ID. A chapter may be named that is not planned yet.
    ///
    /// Returns [`Error::Unknown`] if nothing matches, [`Error::NoReason`] without a reason, and
    /// [`Error::BadRequest`] if `until` names no chapter.
    pub async fn waive(
        &self,
        project: &str,
        finding: &str,
        reason: &str,
        owner: &str,
        until: Option<&str>,
    ) -> Result<StoryCheck, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id)).await?;
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
            due: until.map(|until| due(&kept.story, until)).transpose()?,
        };
        let found = check::findings(&kept.story, &config);
        let covered = found.iter().find(|finding| waiver.covers(&finding.issue));
        let covered = covered.ok_or_else(|| Error::unknown(Noun::Finding, finding))?;
        let lesson = lessons::of_waiver(&id, &waiver, &covered.issue, kept.story.language, Timestamp::now());
        let mut story = kept.story.clone();
        story.waivers.push(waiver);
        let version = self.put(&id, "waive", &kept, &story).await?;
        self.learn_in(&id, lesson.into_iter().collect()).await;
        Ok(StoryCheck { version, ..check_story(story, &config, &[])? })
    }
}
