//! Panels and boxes of systems and games: `【面板】` blocks in Chinese, LitRPG boxes in English.
//!
//! - `words`: the words that open a panel, name its owner or set it apart, from `panel/words.toml`
//! - `line`: one line of a panel as an entry; `value`: its number
//! - `blocks`: the panels of a text
//!
//! Panels are parsed without a model. The owner of a panel is determined by settlement.

pub(crate) mod blocks;
mod line;
mod value;
mod words;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use value::{PanelValue, change_of};
pub(crate) use words::PanelWords;

/// A panel of a text: a status sheet, or one or more notices.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Panel {
    /// Its bytes in the text.
    pub(crate) range: Range<usize>,
    /// The words above its entries, such as `面板` or `Kael's Status`; empty if there are none.
    pub(crate) title: String,
    /// Whether it lists current values; otherwise it lists changes.
    pub(crate) is_sheet: bool,
    /// The owner's name, from a line such as `姓名：林青`; empty without such a line.
    pub(crate) owner: String,
    /// Its entries, in order.
    pub(crate) entries: Vec<PanelEntry>,
}

/// One entry of a panel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PanelEntry {
    /// The name of the value, such as `力量`; empty if the entry only names a step or level reached.
    pub(crate) key: String,
    /// The value.
    pub(crate) value: PanelValue,
    /// The bytes of its line in the text, without brackets.
    pub(crate) range: Range<usize>,
}

impl PanelEntry {
    /// Returns the result that the numbers of the entry give and the result that it states, if they differ:
    /// `12 + 5 = 18` gives 17 and states 18.
    pub(crate) fn wrong_sum(&self) -> Option<(f64, f64)> {
        const EXACT: f64 = 1e-6;
        let (sum, said) = self.value.sum()?;
        let is_off = (sum - said).abs() > EXACT * said.abs().max(1.0);
        is_off.then_some((sum, said))
    }
}
