//! The rules of the checker. Each rule has its own file, with texts and examples in a TOML file beside.
//!
//! - a [`Rule`] has a stable code; the family is the code's prefix (see [`RuleFamily`])
//! - `material`: the story with lookups shared by several rules
//! - `chapters`: helpers of the prose rules; `wording`: the words allowed and forbidden by the style guide
//! - `constructions`: the patterns of QS034, from the TOML file beside it
//! - `body_sides`, `death_tellings`, `trades`: sentences about one person that contradict each other; `steady_chapters`: chapters in
//!   which no years pass
//! - `children`, `spouses`, `kinship_facts`: contradictory kinship, for QY608
//! - `deeds_in_prose`: the dead who act in the texts, for QY205
//! - `endings`: the ends of all chapters, for the rules about a row of chapters
//! - `mortality`: the dead of the written text, and planned chapters in which they appear
//! - `needs`: the required pieces of each rule
//! - `series`: the end of an earlier book, and its people in the story
//! - `scope`: the input of each rule, so that a change reruns only affected rules
//! - `draft`: unrendered findings; `texts`: their wording in both languages; `rendering`: the findings made of both
//!
//! A rule reports only certain violations, and is silent where something is unknown. Only narrated statements
//! contradict narrated statements. Findings keep their id as long as their subject is the same.

mod accounting;
mod as_dead;
mod body_sides;
mod chains;
mod chapters;
mod children;
mod claims;
mod clauses;
mod climbing;
mod constructions;
mod counting;
mod death_tellings;
mod deeds_in_prose;
mod draft;
mod endings;
mod graph;
mod journeys;
mod keeping;
mod kinds;
mod kinship;
mod kinship_facts;
mod material;
mod measures;
mod minds;
mod mortality;
mod needs;
mod ordering;
mod possession;
mod promises;
mod qs011_repeated_sentence;
mod qs012_near_repetition;
mod qs013_same_paragraph_openings;
mod qs014_repeated_simile;
mod qs021_same_sentence_openings;
mod qs022_same_sentence_lengths;
mod qs023_endless_sentence;
mod qs024_wall_of_text;
mod qs025_telegraphic;
mod qs031_stock_phrases;
mod qs032_phrase_again;
mod qs033_forbidden_word;
mod qs034_worn_constructions;
mod qs035_tired_in_genre;
mod qs041_half_width_marks;
mod qs042_unbalanced_marks;
mod qs043_doubled_marks;
mod qs044_ellipsis_or_dash;
mod qs045_spaces_in_chinese;
mod qs046_mixed_quotes;
mod qs047_doubled_word;
mod qs048_space_before_mark;
mod qs051_tag_adverbs;
mod qs061_broken_seam;
mod qs062_same_beginning_or_end;
mod qs063_shrinking_paragraphs;
mod qs071_machine_talk;
mod qs072_markup;
mod qs073_placeholder;
mod qy001_idle_waiver;
mod qy002_open_remark;
mod qy003_due_waiver;
mod qy101_undefined_character;
mod qy102_named_in_prose;
mod qy103_unused_character;
mod qy104_alias_clash;
mod qy105_duplicate_name;
mod qy106_undefined_location;
mod qy107_relation_to_nobody;
mod qy108_held_by_nobody;
mod qy109_dangling_reference;
mod qy110_nameless_piece;
mod qy111_unknown_in_fact;
mod qy201_acts_after_death;
mod qy202_dies_twice;
mod qy203_two_places;
mod qy204_too_fast;
mod qy205_dead_in_facts;
mod qy206_too_fast_by_facts;
mod qy207_dead_in_plan;
mod qy208_dead_in_earlier_book;
mod qy301_event_cycle;
mod qy302_time_against_order;
mod qy303_age_against_birth;
mod qy304_before_birth;
mod qy305_death_before_birth;
mod qy306_older_child;
mod qy307_no_such_date;
mod qy308_death_dates_differ;
mod qy309_times_contradict;
mod qy310_duration_does_not_fit;
mod qy311_relative_time;
mod qy312_births_and_kinship;
mod qy313_outside_its_chapter;
mod qy314_age_told;
mod qy315_ends_first;
mod qy316_told_otherwise;
mod qy317_wrong_weekday;
mod qy318_birth_in_earlier_book;
mod qy401_two_holders;
mod qy402_used_after_loss;
mod qy403_used_after_destruction;
mod qy404_thing_in_two_places;
mod qy405_below_zero;
mod qy406_sum_is_wrong;
mod qy407_number_drifts;
mod qy408_immutable_changes;
mod qy409_two_values;
mod qy410_falls_back;
mod qy411_step_skipped;
mod qy412_cost_unpaid;
mod qy413_win_over_steps;
mod qy414_panel_sum;
mod qy415_panel_differs;
mod qy501_speaks_too_early;
mod qy502_knows_before_it_is_so;
mod qy503_learns_twice;
mod qy504_told_by_the_dead;
mod qy505_told_by_the_unknowing;
mod qy506_learns_after_death;
mod qy507_believes_against_knowledge;
mod qy508_secret_told_early;
mod qy509_secret_untold;
mod qy601_both_directions;
mod qy602_one_sided_relation;
mod qy603_self_relation;
mod qy604_contradictory_relations;
mod qy605_duplicate_relation;
mod qy606_ancestor_cycle;
mod qy607_relation_ends_first;
mod qy608_kinship_in_facts;
mod qy609_kinship_in_earlier_book;
mod qy701_paid_unplanted;
mod qy702_planted_unpaid;
mod qy703_paid_too_early;
mod qy704_promise_unpaid;
mod qy705_promise_late;
mod qy706_promise_paid_first;
mod qy801_forbidden_fact;
mod qy802_forbidden_event;
mod qy803_rules_clash;
mod qy804_demand_unmet;
mod qy901_node_without_events;
mod qy902_unknown_outline_node;
mod qy903_no_protagonist;
mod qy904_absent_protagonist;
mod qy905_order_twice;
mod qy906_unknown_parent;
mod qy907_parent_cycle;
mod qy908_cause_cycle;
mod qy909_no_climax;
mod qy910_no_goal;
mod qy911_empty_card;
mod qy912_order_gap;
mod qy913_empty_node;
mod qy914_effect_before_cause;
mod qy915_plot_apart;
mod qy916_repeated_scene;
mod qy917_opening_before_ending;
mod qy918_promise_asleep;
mod qy919_same_facts_again;
mod qy920_same_title;
mod qy921_planned_twice;
mod qy922_no_payoff;
mod qy923_same_function;
mod qy924_same_endings;
mod qy925_nothing_pulls;
mod qy926_flat_tension;
mod rendering;
mod rule;
mod scope;
mod secrets;
mod series;
mod single_values;
mod spouses;
mod steady_chapters;
mod telling;
#[cfg(test)]
mod tests;
mod texts;
mod told;
mod trades;
mod wording;

use std::sync::LazyLock;

pub(crate) use draft::FindingDraft;
pub(crate) use material::RuleMaterial;
pub use mortality::{DeadInPlan, SettledDeath, dead_in_plan, settled_deaths};
pub(crate) use qy608_kinship_in_facts::is_further_kin;
pub(crate) use rule::CheckedStory;
pub use rule::{Rule, RuleFamily};
pub(crate) use scope::FactScope;
pub use series::earlier_book;
pub(crate) use spouses::is_divorce;
pub use texts::ExampleStory;

/// Registers the rules, by code.
macro_rules! rules {
    ($($module:ident),* $(,)?) => {
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
    qs034_worn_constructions,
    qs035_tired_in_genre,
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
    qs063_shrinking_paragraphs,
    qs071_machine_talk,
    qs072_markup,
    qs073_placeholder,
    qy001_idle_waiver,
    qy002_open_remark,
    qy003_due_waiver,
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
    qy207_dead_in_plan,
    qy208_dead_in_earlier_book,
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
    qy318_birth_in_earlier_book,
    qy401_two_holders,
    qy402_used_after_loss,
    qy403_used_after_destruction,
    qy404_thing_in_two_places,
    qy405_below_zero,
    qy406_sum_is_wrong,
    qy407_number_drifts,
    qy408_immutable_changes,
    qy409_two_values,
    qy410_falls_back,
    qy411_step_skipped,
    qy412_cost_unpaid,
    qy413_win_over_steps,
    qy414_panel_sum,
    qy415_panel_differs,
    qy501_speaks_too_early,
    qy502_knows_before_it_is_so,
    qy503_learns_twice,
    qy504_told_by_the_dead,
    qy505_told_by_the_unknowing,
    qy506_learns_after_death,
    qy507_believes_against_knowledge,
    qy508_secret_told_early,
    qy509_secret_untold,
    qy601_both_directions,
    qy602_one_sided_relation,
    qy603_self_relation,
    qy604_contradictory_relations,
    qy605_duplicate_relation,
    qy606_ancestor_cycle,
    qy607_relation_ends_first,
    qy608_kinship_in_facts,
    qy609_kinship_in_earlier_book,
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
    qy920_same_title,
    qy921_planned_twice,
    qy922_no_payoff,
    qy923_same_function,
    qy924_same_endings,
    qy925_nothing_pulls,
    qy926_flat_tension,
}

/// Returns all rules, by code.
pub fn all() -> &'static [Rule] {
    &RULES
}

/// Returns the rule with the code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().iter().find(|rule| rule.code.eq_ignore_ascii_case(code.trim()))
}

/// Returns whether `code` starts with `given`, ignoring case: `qy1` matches all codes of the family. An empty `given`
/// matches nothing.
pub fn begins(code: &str, given: &str) -> bool {
    let given = given.trim().to_uppercase();
    !given.is_empty() && code.starts_with(&given)
}
