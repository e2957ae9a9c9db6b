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

/// Maximum number of findings listed in an error about an unknown one.
const LISTED: usize = 20;

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

/// Checks a story with the settings of `config`; reports only rules with a code prefix in `only`, and the findings whose ID
/// begins with one in `only`, or everything if empty.
///
/// Returns [`Error::Unknown`] if no rule has the prefix, or no finding the ID.
pub fn check_story(story: Story, config: &Config, only: &[String]) -> Result<StoryCheck, Error> {
    let all = findings(&story, config);
    are_known(&all.0, only)?;
    Ok(checked(story, all, config, only))
}

/// Returns the result of [`check_story`] from all findings of the story and the coverage of the rules.
fn checked(story: Story, all: (Vec<Finding>, RuleCoverage), config: &Config, only: &[String]) -> StoryCheck {
    let (mut findings, coverage) = all;
    findings.retain(|finding| is_wanted(finding, only));
    let basis = Basis::of_rules(&story, coverage);
    let score = check::score(findings.iter().map(|finding| &finding.issue));
    let score = basis.has_checked().then_some(score);
    let mendable = mended(check::fix_chosen(&story, &findings, &chosen(&findings, only), config).applied);
    StoryCheck { version: 0, score, findings, basis, mendable, earlier: Vec::new(), story }
}

/// Returns the fixed findings without duplicates: a fix may edit several texts.
fn mended(applied: Vec<check::AppliedFix>) -> Vec<String> {
    let mut mended: Vec<String> = applied.into_iter().map(|applied| applied.finding).collect();
    mended.dedup();
    mended
}

/// Returns all findings of the story, and the coverage of all rules.
fn findings(story: &Story, config: &Config) -> (Vec<Finding>, RuleCoverage) {
    let findings = check::findings(story, config);
    let coverage = check::coverage(story, config, &findings);
    (findings, coverage)
}

/// Fails with [`Error::Unknown`], and the existing names, if a name in `only` is neither the beginning of a rule's code nor
/// that of the ID of a finding.
fn are_known(findings: &[Finding], only: &[String]) -> Result<(), Error> {
    for given in only {
        let has_rule = rules::all().iter().any(|rule| rules::begins(rule.code, given));
        if has_rule || findings.iter().any(|finding| has_id(finding, given)) {
            continue;
        }
        let rule = given.split_once('-').and_then(|(code, _)| rules::rule(code));
        let (what, known) = match rule {
            Some(rule) => (Noun::Finding, ids_of(findings, rule.code)),
            None => (Noun::Rule, rules::all().iter().map(|rule| rule.code.to_owned()).collect()),
        };
        return Err(Error::Unknown { what, given: given.trim().to_owned(), known });
    }
    Ok(())
}

/// Returns the IDs of the findings of a rule, or of all findings if it has none; at most [`LISTED`].
fn ids_of(findings: &[Finding], code: &str) -> Vec<String> {
    let is_own = |finding: &&Finding| finding.issue.code.as_deref() == Some(code);
    let own = findings.iter().any(|finding| is_own(&finding));
    let listed = findings.iter().filter(|finding| !own || is_own(finding));
    listed.map(|finding| finding.issue.id.clone()).take(LISTED).collect()
}

/// Returns whether `only` is empty or has the beginning of the finding's rule code or ID.
fn is_wanted(finding: &Finding, only: &[String]) -> bool {
    let code = finding.issue.code.as_deref().unwrap_or_default();
    only.is_empty() || only.iter().any(|given| rules::begins(code, given) || has_id(finding, given))
}

/// Returns the IDs of the findings that `only` names by ID or by the whole code of their rule, and not with a family of
/// rules: for these the author has decided.
fn chosen(findings: &[Finding], only: &[String]) -> Vec<String> {
    let has_code = |finding: &Finding, given: &str| {
        finding.issue.code.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(given.trim()))
    };
    let is_chosen = |finding: &&Finding| only.iter().any(|given| has_code(finding, given) || has_id(finding, given));
    findings.iter().filter(is_chosen).map(|finding| finding.issue.id.clone()).collect()
}

/// Returns whether `given` is the ID of the finding or its beginning, at least with the code and the hyphen.
fn has_id(finding: &Finding, given: &str) -> bool {
    let begins = finding.issue.id.get(..given.trim().len());
    given.contains('-') && begins.is_some_and(|begins| begins.eq_ignore_ascii_case(given.trim()))
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

    /// Applies all certain fixes in a single change, revertible by undo; `only` as for [`check_story`]. Where a text tells a
    /// planned event otherwise, the plan follows the text if `only` has the ID of the finding, or the code of its rule.
    ///
    /// Returns [`Error::Unknown`] if no rule or finding has a name in `only`.
    pub async fn mend(&self, project: &str, only: &[String]) -> Result<StoryFixes, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let config = self.checker(Some(&id)).await?;
        let mut wanted = check::findings(&kept.story, &config);
        are_known(&wanted, only)?;
        wanted.retain(|finding| is_wanted(finding, only));
        let mut fixes = check::fix_chosen(&kept.story, &wanted, &chosen(&wanted, only), &config);
        follow_all(&kept.story, &mut fixes.story);
        mark_unsupported(&kept.story, &mut fixes.story);
        let (removed, changed) = (fixes.removed(), fixes.changed());
        let version = self.put(&id, "check --fix", &kept, &fixes.story).await?;
        let left = fixes.left().map(|(finding, reason)| (finding.to_owned(), reason.to_owned())).collect();
        // The findings that `only` names may be gone.
        let after = findings(&fixes.story, &config);
        let checkup = checked(fixes.story, after, &config, only);
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
