//! Maximum tokens of each section of a card.

/// Of the premise, with the genre.
pub(super) const PREMISE: u64 = 150;
/// Of what the author asked of every chapter.
pub(super) const ASKED: u64 = 240;
pub(super) const STYLE: u64 = 900;
pub(super) const WORLD: u64 = 500;
pub(super) const RULES: u64 = 700;
pub(super) const GENRE: u64 = 260;
pub(super) const SAMPLE: u64 = 1_200;
pub(super) const OWN_PROSE: u64 = 350;
pub(super) const NODE: u64 = 600;
pub(super) const ABOVE: u64 = 80;
pub(super) const SCENES: u64 = 500;
pub(super) const PLANNED: u64 = 350;
pub(super) const TURNS: u64 = 250;
pub(super) const NEXT: u64 = 120;
pub(super) const LATER: u64 = 240;
/// Of one passage of a later chapter.
pub(super) const LATER_LINE: u64 = 110;
/// Of the facts of later chapters.
pub(super) const LATER_FACTS: u64 = 160;
/// Of the summary of a later chapter.
pub(super) const LATER_SUMMARY: u64 = 60;
/// Of the participants, and of the absent people the chapter is about.
pub(super) const CAST: u64 = 1_500;
/// Of the absent people alone.
pub(super) const ABSENT: u64 = 360;
pub(super) const OTHERS: u64 = 150;
pub(super) const RELATIONS: u64 = 350;
pub(super) const EARLIER: u64 = 450;
pub(super) const PROMISES: u64 = 380;
pub(super) const EVENTS: u64 = 320;
/// Of past events that a later chapter tells.
pub(super) const EVENTS_TOLD_LATER: u64 = 200;
pub(super) const INTENDED: u64 = 120;
pub(super) const FACTS: u64 = 450;
pub(super) const KNOWLEDGE: u64 = 300;
pub(super) const SETTINGS: u64 = 320;
pub(super) const HIDDEN: u64 = 400;
pub(super) const PASSAGES: u64 = 900;
