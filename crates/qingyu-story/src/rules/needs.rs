//! The kinds of pieces required by a rule; a test validates the table against the rules' examples.

use crate::PieceKind::{
    self, Character, Document, Event, Fact, Item, Ladder, Location, OutlineNode, PlotNode, Promise, Relation, Style,
    WorldRule, Worldview,
};

/// Returns the kinds of pieces required by the rule with the code.
pub(super) fn of(code: &str) -> &'static [PieceKind] {
    match code {
        "QS011" | "QS012" | "QS013" | "QS014" | "QS021" | "QS022" | "QS023" | "QS024" | "QS025" | "QS031" | "QS032"
        | "QS034" | "QS063" | "QS041" | "QS042" | "QS043" | "QS044" | "QS045" | "QS046" | "QS047" | "QS048"
        | "QS051" | "QS061" | "QS062" | "QS071" | "QS072" | "QS073" | "QY002" | "QY317" | "QY414" | "QY924" => {
            &[Document]
        }
        "QS033" => &[Document, Style],
        "QS035" | "QY925" => &[Document, Worldview],
        "QY101" | "QY102" | "QY701" | "QY702" | "QY703" | "QY902" | "QY905" | "QY906" | "QY907" | "QY910" | "QY912"
        | "QY913" | "QY921" | "QY922" | "QY923" | "QY926" => &[OutlineNode],
        "QY103" | "QY904" => &[Character, OutlineNode],
        "QY104" | "QY208" | "QY305" | "QY318" | "QY609" | "QY903" | "QY911" => &[Character],
        "QY106" => &[OutlineNode, Location, Worldview],
        "QY107" => &[Relation],
        "QY108" => &[Item, Worldview],
        "QY110" | "QY301" | "QY302" | "QY307" | "QY309" | "QY310" | "QY311" => &[Event],
        "QY111" | "QY315" | "QY401" | "QY402" | "QY403" | "QY405" | "QY406" | "QY407" | "QY408" | "QY409" | "QY415"
        | "QY501" | "QY503" | "QY505" | "QY507" => &[Fact],
        "QY201" | "QY202" | "QY203" | "QY304" | "QY308" => &[Character, Event],
        "QY204" => &[Character, Event, Location, Worldview],
        "QY205" => &[Character, Event, Fact],
        "QY206" => &[Character, Location, Fact, Worldview],
        "QY207" => &[Character, OutlineNode, Document, Fact],
        "QY303" => &[Character, Worldview],
        "QY306" | "QY312" | "QY601" | "QY602" | "QY603" | "QY604" | "QY605" | "QY606" => &[Character, Relation],
        "QY313" | "QY901" => &[OutlineNode, Event],
        "QY316" => &[Event, Document],
        "QY508" | "QY509" => &[OutlineNode, Document],
        "QY314" | "QY608" => &[Character, Fact],
        "QY404" => &[Item, Fact, Worldview],
        "QY410" | "QY412" | "QY413" => &[Ladder, Fact, Worldview],
        "QY411" => &[Character, Ladder, Fact, Worldview],
        "QY502" | "QY504" | "QY506" => &[Event, Fact],
        "QY607" => &[Relation, OutlineNode],
        "QY704" | "QY705" | "QY918" => &[OutlineNode, Promise],
        "QY706" => &[Promise],
        "QY801" | "QY804" => &[Character, WorldRule, Fact, Worldview],
        "QY802" => &[Character, Event, WorldRule, Fact, Worldview],
        "QY803" => &[Item, WorldRule, Worldview],
        "QY908" | "QY909" => &[PlotNode],
        "QY914" => &[Event, PlotNode],
        "QY915" => &[OutlineNode, Event, PlotNode],
        "QY916" | "QY917" => &[Character, OutlineNode, Event],
        "QY919" => &[Character, OutlineNode, Event, Fact],
        _ => &[],
    }
}
