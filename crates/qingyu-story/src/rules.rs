//! The rules of the checker. Each stands in its own file, with its texts and examples in a TOML file beside it.
//!
//! - a [`Rule`] has a stable code; its family is the code's beginning (see [`Family`])
//! - `material`: the story with what several rules look up in it
//! - `chapters`: what the rules about prose share; `wording`: the words that the style guide allows and forbids
//! - `needs`: what each rule cannot do without
//! - `scope`: what each rule reads, so that after a change only what it can reach is looked at again
//! - `draft`: how a rule says what it found; `texts`: the words for it in both languages
//!
//! A rule reports what is certain from the data and is silent where something is unknown. Only what is narrated
//! contradicts what is narrated. Findings carry the same id as long as they are about the same thing.

mod chains;
mod chapters;
mod claims;
mod clauses;
mod counting;
mod draft;
mod graph;
mod journeys;
mod keeping;
mod kinds;
mod kinship;
mod material;
mod minds;
mod needs;
mod ordering;
mod possession;
mod promises;
mod scope;
mod single_values;
mod telling;
#[cfg(test)]
mod tests;
mod texts;
mod wording;

use std::sync::LazyLock;

use serde::Serialize;

use crate::check::{Config, Finding};
use crate::{Category, Language, PieceKind, Severity, Story};

pub(crate) use draft::Draft;
pub(crate) use material::{Material, anchor, handle};
pub(crate) use scope::{Reads, Scope};
use texts::Texts;
pub use texts::{Example, RuleText};

/// Lists the rules' modules and registers them.
macro_rules! rules {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*
        static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| vec![$($module::rule()),*]);
    };
}

rules! {
    qs011_repeated_sentence,
    qs012_near_repetition,
    qs013_same_paragraph_openings,
    qs014_repeated_simile,
    qs021_same_sentence_openings,
    qs022_same_sentence_lengths,
    qs023_endless_sentence,
    qs024_wall_of_text,
    qs025_telegraphic,
    qs031_stock_phrases,
    qs032_phrase_again,
    qs033_forbidden_word,
    qs041_half_width_marks,
    qs042_unbalanced_marks,
    qs043_doubled_marks,
    qs044_ellipsis_or_dash,
    qs045_spaces_in_chinese,
    qs046_mixed_quotes,
    qs047_doubled_word,
    qs048_space_before_mark,
    qs051_tag_adverbs,
    qs061_broken_seam,
    qs062_same_beginning_or_end,
    qs071_machine_talk,
    qs072_markup,
    qs073_placeholder,
    qy001_idle_waiver,
    qy002_open_remark,
    qy101_undefined_character,
    qy102_named_in_prose,
    qy103_unused_character,
    qy104_alias_clash,
    qy105_duplicate_name,
    qy106_undefined_location,
    qy107_relation_to_nobody,
    qy108_held_by_nobody,
    qy109_dangling_reference,
    qy110_nameless_piece,
    qy111_unknown_in_fact,
    qy201_acts_after_death,
    qy202_dies_twice,
    qy203_two_places,
    qy204_too_fast,
    qy205_dead_in_facts,
    qy206_too_fast_by_facts,
    qy301_event_cycle,
    qy302_time_against_order,
    qy303_age_against_birth,
    qy304_before_birth,
    qy305_death_before_birth,
    qy306_older_child,
    qy307_no_such_date,
    qy308_death_dates_differ,
    qy309_times_contradict,
    qy310_duration_does_not_fit,
    qy311_relative_time,
    qy312_births_and_kinship,
    qy313_outside_its_chapter,
    qy314_age_told,
    qy315_ends_first,
    qy316_told_otherwise,
    qy317_wrong_weekday,
    qy401_two_holders,
    qy402_used_after_loss,
    qy403_used_after_destruction,
    qy404_thing_in_two_places,
    qy405_below_zero,
    qy406_sum_is_wrong,
    qy407_number_drifts,
    qy408_immutable_changes,
    qy409_two_values,
    qy501_speaks_too_early,
    qy502_knows_before_it_is_so,
    qy503_learns_twice,
    qy504_told_by_the_dead,
    qy505_told_by_the_unknowing,
    qy506_learns_after_death,
    qy507_believes_against_knowledge,
    qy601_both_directions,
    qy602_one_sided_relation,
    qy603_self_relation,
    qy604_contradictory_relations,
    qy605_duplicate_relation,
    qy606_ancestor_cycle,
    qy607_relation_ends_first,
    qy608_kinship_in_facts,
    qy701_paid_unplanted,
    qy702_planted_unpaid,
    qy703_paid_too_early,
    qy704_promise_unpaid,
    qy705_promise_late,
    qy706_promise_paid_first,
    qy801_forbidden_fact,
    qy802_forbidden_event,
    qy803_rules_clash,
    qy804_demand_unmet,
    qy901_node_without_events,
    qy902_unknown_outline_node,
    qy903_no_protagonist,
    qy904_absent_protagonist,
    qy905_order_twice,
    qy906_unknown_parent,
    qy907_parent_cycle,
    qy908_cause_cycle,
    qy909_no_climax,
    qy910_no_goal,
    qy911_empty_card,
    qy912_order_gap,
    qy913_empty_node,
    qy914_effect_before_cause,
    qy915_plot_apart,
    qy916_repeated_scene,
    qy917_opening_before_ending,
    qy918_promise_asleep,
    qy919_same_facts_again,
}

/// All rules, by code.
pub fn all() -> &'static [Rule] {
    &RULES
}

/// The rule of that code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().iter().find(|rule| rule.code.eq_ignore_ascii_case(code.trim()))
}

/// Whether `code` begins as `given` says, in whatever letters: `qy1` means all codes of that family. Nothing begins with
/// nothing.
pub fn begins(code: &str, given: &str) -> bool {
    let given = given.trim().to_uppercase();
    !given.is_empty() && code.starts_with(&given)
}

/// A rule of the checker.
#[derive(Debug, Serialize)]
pub struct Rule {
    /// Its code, such as `QY101`; never given to another rule.
    pub code: &'static str,
    /// What it is about.
    pub family: Family,
    /// How bad its findings are, unless the settings say otherwise.
    pub severity: Severity,
    /// What its findings touch.
    pub category: Category,
    /// Whose work it is: `outline`, `character`, `relation`, `plot`, `timeline`, `worldview`, `style`.
    pub sub_category: &'static str,
    #[serde(skip)]
    texts: Texts,
    #[serde(skip)]
    run: Run,
}

/// How a rule is run.
#[derive(Debug)]
enum Run {
    OnStory(fn(&Material<'_>) -> Vec<Draft>),
    /// After all others, on what they found.
    OnFindings(fn(&Checked<'_>) -> Vec<Draft>),
}

/// A story and what was found in it.
#[derive(Debug)]
pub(crate) struct Checked<'c> {
    pub(crate) story: &'c Story,
    pub(crate) config: &'c Config,
    pub(crate) findings: &'c [&'c Finding],
}

/// What a rule is about; the beginning of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// `QSxxx`: how the prose reads. Never who or what wrote it.
    Prose,
    /// `QY0xx`: the checker's own affairs.
    Checker,
    /// `QY1xx`: names and references.
    Names,
    /// `QY2xx`: who is where, and alive.
    Presence,
    /// `QY3xx`: time.
    Time,
    /// `QY4xx`: things and numbers.
    Items,
    /// `QY5xx`: who knows what.
    Knowledge,
    /// `QY6xx`: relations.
    Relations,
    /// `QY7xx`: promises, planted and paid.
    Promises,
    /// `QY8xx`: the rules of the world.
    World,
    /// `QY9xx`: structure of outline and plot.
    Structure,
}

impl Family {
    fn of(code: &str) -> Self {
        match code.as_bytes().get(2) {
            _ if code.starts_with("QS") => Self::Prose,
            Some(b'0') => Self::Checker,
            Some(b'1') => Self::Names,
            Some(b'2') => Self::Presence,
            Some(b'3') => Self::Time,
            Some(b'4') => Self::Items,
            Some(b'5') => Self::Knowledge,
            Some(b'6') => Self::Relations,
            Some(b'7') => Self::Promises,
            Some(b'8') => Self::World,
            _ => Self::Structure,
        }
    }
}

impl Rule {
    fn new(
        code: &'static str,
        kind: (Severity, Category, &'static str),
        texts: &'static str,
        run: fn(&Material<'_>) -> Vec<Draft>,
    ) -> Self {
        Self::run_by(code, kind, texts, Run::OnStory(run))
    }

    fn on_findings(
        code: &'static str,
        kind: (Severity, Category, &'static str),
        texts: &'static str,
        run: fn(&Checked<'_>) -> Vec<Draft>,
    ) -> Self {
        Self::run_by(code, kind, texts, Run::OnFindings(run))
    }

    fn run_by(
        code: &'static str,
        (severity, category, sub_category): (Severity, Category, &'static str),
        texts: &'static str,
        run: Run,
    ) -> Self {
        Self { code, family: Family::of(code), severity, category, sub_category, texts: Texts::parse(code, texts), run }
    }

    /// What the rule says, in `language`.
    pub fn text(&self, language: Language) -> &RuleText {
        self.texts.of(language)
    }

    /// A story that breaks the rule.
    pub fn fires(&self) -> &Example {
        &self.texts.fires
    }

    /// A story that looks as if it broke the rule and does not.
    pub fn spares(&self) -> &Example {
        &self.texts.spares
    }

    /// What the rule reads.
    pub(crate) fn scope(&self) -> Scope {
        Scope::of(self.code)
    }

    /// The kinds of pieces without which the rule has nothing to look at.
    pub(crate) fn needs(&self) -> &'static [PieceKind] {
        needs::of(self.code)
    }

    /// Whether it looks at what the others found, and not at the story.
    pub(crate) fn is_about_findings(&self) -> bool {
        matches!(self.run, Run::OnFindings(_))
    }

    /// What the rule finds in a story.
    pub(crate) fn look(&self, material: &Material<'_>) -> Vec<Draft> {
        match self.run {
            Run::OnStory(run) => run(material),
            Run::OnFindings(_) => Vec::new(),
        }
    }

    /// What the rule finds in what the others found.
    pub(crate) fn look_at_findings(&self, checked: &Checked<'_>) -> Vec<Draft> {
        match self.run {
            Run::OnStory(_) => Vec::new(),
            Run::OnFindings(run) => run(checked),
        }
    }
}
